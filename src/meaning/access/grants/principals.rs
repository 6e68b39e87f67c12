//! Which principals and roles cover others.

use super::answer::Answer;
use super::table::{Covers, in_table};

/// Roles of Google that cover others, as the pages of the services list their permissions.
///
/// <https://cloud.google.com/iam/docs/roles-permissions>
const GOOGLE_ROLES: Covers = &[
    (
        "roles/owner",
        &["roles/editor", "roles/viewer", "roles/browser"],
    ),
    ("roles/editor", &["roles/viewer", "roles/browser"]),
    ("roles/viewer", &["roles/browser"]),
    (
        "roles/storage.objectadmin",
        &[
            "roles/storage.objectviewer",
            "roles/storage.objectcreator",
            "roles/storage.objectuser",
        ],
    ),
    (
        "roles/storage.objectuser",
        &["roles/storage.objectviewer", "roles/storage.objectcreator"],
    ),
    (
        "roles/storage.legacybucketowner",
        &[
            "roles/storage.legacybucketwriter",
            "roles/storage.legacybucketreader",
        ],
    ),
    (
        "roles/storage.legacybucketwriter",
        &["roles/storage.legacybucketreader"],
    ),
    (
        "roles/storage.legacyobjectowner",
        &["roles/storage.legacyobjectreader"],
    ),
    (
        "roles/bigquery.dataowner",
        &["roles/bigquery.dataeditor", "roles/bigquery.dataviewer"],
    ),
    ("roles/bigquery.dataeditor", &["roles/bigquery.dataviewer"]),
    ("roles/bigquery.user", &["roles/bigquery.jobuser"]),
    (
        "roles/pubsub.editor",
        &[
            "roles/pubsub.publisher",
            "roles/pubsub.subscriber",
            "roles/pubsub.viewer",
        ],
    ),
    (
        "roles/artifactregistry.repoadmin",
        &[
            "roles/artifactregistry.writer",
            "roles/artifactregistry.reader",
        ],
    ),
    (
        "roles/artifactregistry.writer",
        &["roles/artifactregistry.reader"],
    ),
    (
        "roles/container.developer",
        &["roles/container.viewer", "roles/container.clusterviewer"],
    ),
    (
        "roles/cloudsql.editor",
        &["roles/cloudsql.viewer", "roles/cloudsql.client"],
    ),
    (
        "roles/datastore.owner",
        &["roles/datastore.user", "roles/datastore.viewer"],
    ),
    ("roles/datastore.user", &["roles/datastore.viewer"]),
    (
        "roles/spanner.databaseadmin",
        &["roles/spanner.databaseuser", "roles/spanner.databasereader"],
    ),
    (
        "roles/spanner.databaseuser",
        &["roles/spanner.databasereader"],
    ),
    ("roles/run.developer", &["roles/run.viewer"]),
];

/// Services of Google whose role `admin` covers each of their other roles. It does not everywhere: who administers keys
/// may not decrypt with them.
const GOOGLE_ADMINS: [&str; 20] = [
    "artifactregistry",
    "bigquery",
    "bigtable",
    "cloudfunctions",
    "cloudsql",
    "cloudtasks",
    "composer",
    "compute",
    "container",
    "dataflow",
    "dataproc",
    "dns",
    "file",
    "logging",
    "monitoring",
    "pubsub",
    "run",
    "secretmanager",
    "spanner",
    "storage",
];

/// Built-in roles of Azure that cover others.
///
/// <https://learn.microsoft.com/azure/role-based-access-control/built-in-roles>
const AZURE_ROLES: Covers = &[
    (
        "owner",
        &[
            "contributor",
            "reader",
            "user access administrator",
            "role based access control administrator",
            "network contributor",
            "virtual machine contributor",
            "storage account contributor",
            "website contributor",
            "sql db contributor",
            "monitoring contributor",
            "monitoring reader",
            "managed identity operator",
            "managed identity contributor",
            "key vault contributor",
            "dns zone contributor",
        ],
    ),
    (
        "contributor",
        &[
            "reader",
            "network contributor",
            "virtual machine contributor",
            "storage account contributor",
            "website contributor",
            "sql db contributor",
            "monitoring contributor",
            "monitoring reader",
            "managed identity operator",
            "managed identity contributor",
            "key vault contributor",
            "dns zone contributor",
        ],
    ),
    (
        "user access administrator",
        &["reader", "role based access control administrator"],
    ),
    ("monitoring contributor", &["monitoring reader"]),
    (
        "storage blob data owner",
        &["storage blob data contributor", "storage blob data reader"],
    ),
    (
        "storage blob data contributor",
        &["storage blob data reader"],
    ),
    (
        "storage queue data contributor",
        &["storage queue data reader"],
    ),
    (
        "storage table data contributor",
        &["storage table data reader"],
    ),
    (
        "storage file data smb share elevated contributor",
        &[
            "storage file data smb share contributor",
            "storage file data smb share reader",
        ],
    ),
    (
        "storage file data smb share contributor",
        &["storage file data smb share reader"],
    ),
    (
        "key vault administrator",
        &[
            "key vault secrets officer",
            "key vault secrets user",
            "key vault certificates officer",
            "key vault certificate user",
            "key vault crypto officer",
            "key vault crypto user",
            "key vault reader",
        ],
    ),
    ("key vault secrets officer", &["key vault secrets user"]),
    ("key vault crypto officer", &["key vault crypto user"]),
    (
        "azure kubernetes service rbac cluster admin",
        &[
            "azure kubernetes service rbac admin",
            "azure kubernetes service rbac writer",
            "azure kubernetes service rbac reader",
        ],
    ),
    (
        "azure kubernetes service rbac admin",
        &[
            "azure kubernetes service rbac writer",
            "azure kubernetes service rbac reader",
        ],
    ),
    (
        "azure kubernetes service rbac writer",
        &["azure kubernetes service rbac reader"],
    ),
    (
        "azure kubernetes service cluster admin role",
        &["azure kubernetes service cluster user role"],
    ),
    ("acrpush", &["acrpull"]),
    (
        "azure service bus data owner",
        &[
            "azure service bus data sender",
            "azure service bus data receiver",
        ],
    ),
    (
        "azure event hubs data owner",
        &[
            "azure event hubs data sender",
            "azure event hubs data receiver",
        ],
    ),
    (
        "app configuration data owner",
        &["app configuration data reader"],
    ),
    (
        "virtual machine administrator login",
        &["virtual machine user login"],
    ),
    (
        "cognitive services contributor",
        &["cognitive services user"],
    ),
];

/// The identifiers of built-in roles of Azure.
const AZURE_ROLE_IDS: [(&str, &str); 20] = [
    ("8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "owner"),
    ("b24988ac-6180-42a0-ab88-20f7382dd24c", "contributor"),
    ("acdd72a7-3385-48ef-bd42-f606fba81ae7", "reader"),
    (
        "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
        "user access administrator",
    ),
    (
        "f58310d9-a9f6-439a-9e8d-f62e7b41a168",
        "role based access control administrator",
    ),
    (
        "00482a5a-887f-4fb3-b363-3b7fe8e74483",
        "key vault administrator",
    ),
    (
        "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
        "key vault secrets officer",
    ),
    (
        "4633458b-17de-408a-b874-0445c86b69e6",
        "key vault secrets user",
    ),
    ("21090545-7ca7-4776-b22c-e363652d74d2", "key vault reader"),
    (
        "b7e6dc6d-f1e8-4753-8033-0f276bb0955b",
        "storage blob data owner",
    ),
    (
        "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
        "storage blob data contributor",
    ),
    (
        "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
        "storage blob data reader",
    ),
    (
        "17d1049b-9a84-46fb-8f53-869881c3d3ab",
        "storage account contributor",
    ),
    (
        "b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b",
        "azure kubernetes service rbac cluster admin",
    ),
    (
        "0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8",
        "azure kubernetes service cluster admin role",
    ),
    (
        "1c0163c0-47e6-4577-8991-ea5c82e286e4",
        "virtual machine administrator login",
    ),
    ("7f951dda-4ed3-4680-a7ca-43fe172d538d", "acrpull"),
    ("8311e382-0749-4cb8-b61a-304f252e45ec", "acrpush"),
    (
        "4d97b98b-1d4f-4787-a291-c67834d212e7",
        "network contributor",
    ),
    (
        "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
        "virtual machine contributor",
    ),
];

/// Whether a member of a policy of Google covers another. Who is in a group is not in a plan, so a group covers itself.
///
/// <https://cloud.google.com/iam/docs/principal-identifiers>
pub(super) fn google(wide: &str, narrow: &str) -> Answer {
    if wide.eq_ignore_ascii_case(narrow) {
        return Answer::Yes;
    }
    // Datasets write these words with an initial capital.
    match wide.to_ascii_lowercase().as_str() {
        "allusers" => return Answer::Yes,
        "allauthenticatedusers" => return Answer::of(!narrow.eq_ignore_ascii_case("allUsers")),
        _ => {}
    }
    if let Some(domain) = wide.strip_prefix("domain:") {
        let user = narrow.strip_prefix("user:");
        let host = user.and_then(|user| user.rsplit_once('@'));
        return Answer::of(host.is_some_and(|(_, host)| host.eq_ignore_ascii_case(domain)));
    }
    // A pool covers each of its attributes, groups and subjects. Which subjects an attribute covers is not in a plan.
    let Some(pool) = wide.strip_prefix("principalSet:") else {
        return Answer::No;
    };
    let Some(other) = narrow
        .strip_prefix("principalSet:")
        .or_else(|| narrow.strip_prefix("principal:"))
    else {
        return Answer::No;
    };
    if let Some(pool) = pool.strip_suffix("/*") {
        return Answer::of(
            other
                .strip_prefix(pool)
                .is_some_and(|rest| rest.starts_with('/')),
        );
    }
    let root = |text: &str| {
        let (start, rest) = text.split_once("Pools/")?;
        let pool = rest.split('/').next()?;
        Some(format!("{start}{pool}"))
    };
    let is_subject = narrow.starts_with("principal:") && root(pool) == root(other);
    if is_subject {
        Answer::Unclear
    } else {
        Answer::No
    }
}

/// Whether a role of Google covers another.
pub(super) fn google_role(wide: &str, narrow: &str) -> Answer {
    let [wide, narrow] = [wide, narrow].map(str::to_ascii_lowercase);
    let service = |role: &str| Some(role.strip_prefix("roles/")?.split_once('.')?.0.to_owned());
    let is_admin = wide
        .strip_suffix(".admin")
        .and_then(|role| role.strip_prefix("roles/"))
        .is_some_and(|name| {
            GOOGLE_ADMINS.contains(&name) && service(&narrow).is_some_and(|s| s == name)
        });
    Answer::of(wide == narrow || is_admin || in_table(GOOGLE_ROLES, &wide, &narrow))
}

/// Whether a role of Azure covers another. Each is a name, an identifier, or the path of one.
pub(super) fn azure_role(wide: &str, narrow: &str) -> Answer {
    let name = |role: &str| {
        let role = role.rsplit('/').next().unwrap_or(role).to_ascii_lowercase();
        AZURE_ROLE_IDS
            .iter()
            .find(|(id, _)| *id == role)
            .map_or(role, |(_, name)| (*name).to_owned())
    };
    let [wide, narrow] = [wide, narrow].map(name);
    Answer::of(wide == narrow || in_table(AZURE_ROLES, &wide, &narrow))
}

/// Returns the name of a built-in role of Azure, in lower case, if a role is the identifier of one; otherwise the last
/// part of the role.
pub(super) fn azure_role_name(role: &str) -> &str {
    let id = role.rsplit('/').next().unwrap_or(role);
    AZURE_ROLE_IDS
        .iter()
        .find(|(known, _)| id.eq_ignore_ascii_case(known))
        .map_or(id, |(_, name)| name)
}

/// Whether a principal of AWS covers another: everybody covers all, an account its users and roles. An account is its
/// root.
///
/// <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html>
pub(super) fn aws(wide: &str, narrow: &str) -> Answer {
    if matches!(wide, "*" | "all") {
        return Answer::Yes;
    }
    let account = |text: &str| -> Option<String> {
        if text.len() == 12 && text.bytes().all(|b| b.is_ascii_digit()) {
            return Some(text.to_owned());
        }
        let rest = text.strip_suffix(":root")?;
        rest.rsplit(':').next().map(str::to_owned)
    };
    let Some(wide) = account(wide) else {
        return Answer::No;
    };
    let of_narrow = account(narrow).or_else(|| {
        let mut parts = narrow.split(':');
        (parts.next() == Some("arn")).then_some(())?;
        parts.nth(3).map(str::to_owned)
    });
    Answer::of(of_narrow.is_some_and(|narrow| narrow == wide))
}

/// Whether a rule of Cloudflare Access, spelled as a word, covers another.
///
/// <https://developers.cloudflare.com/cloudflare-one/policies/access/>
pub(super) fn cloudflare(wide: &str, narrow: &str) -> Answer {
    if wide.starts_with("everyone") {
        return Answer::Yes;
    }
    let is_token = narrow.starts_with("service_token");
    if wide.starts_with("any_valid_service_token") {
        return Answer::of(is_token || narrow.starts_with("any_valid_service_token"));
    }
    let value = |text: &str| {
        text.rsplit_once('=')
            .map(|(_, value)| value.to_ascii_lowercase())
    };
    let (Some(domain), Some(address)) = (value(wide), value(narrow)) else {
        return Answer::No;
    };
    let is_domain = wide.starts_with("email_domain");
    let is_address = narrow.starts_with("email.") || narrow.starts_with("email=");
    let host = address.rsplit_once('@').map(|(_, host)| host);
    Answer::of(is_domain && is_address && host == Some(&domain))
}
