//! The known forms of credentials, as data: a row for each form, with a text that has it and one that only looks like it.
//!
//! In an example, `{a36}` stands for 36 letters and digits, `{u16}` for capitals and digits, `{h32}` for hexadecimal
//! digits: credentials are made by the tests, so that none is in this file.

use super::{Check, Form, Place};

/// The regular expression for what separates an option from its value: blanks, an equals sign, or what separates the items
/// of a list in JSON or YAML.
macro_rules! separator {
    () => {
        r#"(?:[ \t]*=[ \t]*|[ \t]+|["'][ \t]*,[ \t\r\n]*["']|["']?[ \t]*\r?\n[ \t]*-[ \t]+)"#
    };
}

/// The regular expression for a word of a shell, with or without quotes. The word without its quotes is a group.
macro_rules! word {
    () => {
        r#"(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\x00-\x20"'`|;&<>()]+))"#
    };
}

/// The regular expression for a user and a password: `app:kX9…`, in quotes or without.
macro_rules! login {
    () => {
        r#"(?:"[^":\r\n]*:([^"\r\n]+)"|'[^':\r\n]*:([^'\r\n]+)'|[^\x00-\x20:"'`|;&<>()]*:([^\x00-\x20"'`|;&<>()]+))"#
    };
}

/// Creates the form of a token that is known by its first characters, and by the characters that follow.
const fn token(
    name: &'static str,
    mark: &'static str,
    rest: &'static str,
    hit: &'static str,
) -> Form {
    Form {
        name,
        mark,
        rest,
        longest: USUAL,
        place: Place::Word,
        check: Check::Varied,
        hit,
        miss: "",
    }
}

/// The maximum number of bytes of most credentials after their mark. One that is longer is hidden up to its end.
const USUAL: usize = 1_200;

/// The maximum number of bytes of a web token, which may have many claims.
const LONG: usize = 8_000;

/// Creates the form of a credential that has its place in a text: an address, a header, a file.
const fn placed(
    name: &'static str,
    mark: &'static str,
    rest: &'static str,
    check: Check,
    [hit, miss]: [&'static str; 2],
) -> Form {
    Form {
        name,
        mark,
        rest,
        longest: USUAL,
        place: Place::Anywhere,
        check,
        hit,
        miss,
    }
}

/// Creates the form of a password that an option gives to one of these commands.
const fn option(
    mark: &'static str,
    commands: &'static [&'static str],
    rest: &'static str,
    [hit, miss]: [&'static str; 2],
) -> Form {
    Form {
        name: "password",
        mark,
        rest,
        longest: USUAL,
        place: Place::OptionOf(commands),
        check: Check::Password,
        hit,
        miss,
    }
}

/// The forms of tokens, each of which its issuer documents.
pub(super) const TOKENS: &[Form] = &[
    token(
        "age secret key",
        "AGE-SECRET-KEY-1",
        "[0-9A-Z]{58}",
        "AGE-SECRET-KEY-1{u58}",
    ),
    token("Google API key", "AIza", "[0-9A-Za-z_-]{35}", "AIza{a35}"),
    token(
        "Google client secret",
        "GOCSPX-",
        "[0-9A-Za-z_-]{28}",
        "GOCSPX-{a28}",
    ),
    token(
        "Google access token",
        "ya29.",
        "[0-9A-Za-z_.-]{40,}",
        "ya29.{a60}",
    ),
    token("AWS access key", "AKIA", "[0-9A-Z]{16}", "AKIA{u16}"),
    token("AWS access key", "ASIA", "[0-9A-Z]{16}", "ASIA{u16}"),
    token(
        "AWS session token",
        "IQoJb3JpZ2lu",
        "[0-9A-Za-z+/]{100,}",
        "IQoJb3JpZ2lu{a120}",
    ),
    token(
        "Bedrock API key",
        "ABSK",
        "[0-9A-Za-z+/]{100,}",
        "ABSK{a120}",
    ),
    token(
        "Atlassian token",
        "ATATT3",
        "[0-9A-Za-z_-]{100,}",
        "ATATT3{a120}",
    ),
    token(
        "Atlassian token",
        "ATCTT3",
        "[0-9A-Za-z_-]{100,}",
        "ATCTT3{a120}",
    ),
    token(
        "Azure storage key",
        "AccountKey=",
        "[0-9A-Za-z+/]{86}",
        "AccountKey={a86}",
    ),
    token(
        "Azure access key",
        "SharedAccessKey=",
        "[0-9A-Za-z+/]{43}",
        "SharedAccessKey={a43}",
    ),
    token("New Relic key", "NRAK-", "[0-9A-Z]{27}", "NRAK-{u27}"),
    token("Postman key", "PMAK-", "[0-9A-Za-z_-]{50,70}", "PMAK-{a60}"),
    token("SendGrid key", "SG.", "[0-9A-Za-z_.-]{66}", "SG.{a66}"),
    token("Twilio key", "SK", "[0-9a-f]{32}", "SK{h32}"),
    token("Databricks token", "dapi", "[0-9a-f]{32}", "dapi{h32}"),
    token(
        "Docker token",
        "dckr_pat_",
        "[0-9A-Za-z_-]{27,40}",
        "dckr_pat_{a30}",
    ),
    token(
        "Docker token",
        "dckr_oat_",
        "[0-9A-Za-z_-]{27,40}",
        "dckr_oat_{a30}",
    ),
    token(
        "DigitalOcean token",
        "doo_v1_",
        "[0-9a-f]{64}",
        "doo_v1_{h64}",
    ),
    token(
        "DigitalOcean token",
        "dop_v1_",
        "[0-9a-f]{64}",
        "dop_v1_{h64}",
    ),
    token(
        "DigitalOcean token",
        "dor_v1_",
        "[0-9a-f]{64}",
        "dor_v1_{h64}",
    ),
    token(
        "Doppler token",
        "dp.pt.",
        "[0-9A-Za-z]{40,44}",
        "dp.pt.{a40}",
    ),
    token(
        "Doppler token",
        "dp.st.",
        "[0-9A-Za-z_.-]{40,60}",
        "dp.st.{a44}",
    ),
    token(
        "Dynatrace token",
        "dt0c01.",
        r"[0-9A-Z]{24}\.[0-9A-Z]{64}",
        "dt0c01.{u24}.{u64}",
    ),
    token("Buildkite token", "bkua_", "[0-9a-f]{40}", "bkua_{h40}"),
    token(
        "CircleCI token",
        "CCIPAT_",
        "[0-9A-Za-z_]{50,80}",
        "CCIPAT_{a60}",
    ),
    token(
        "Cloudflare key",
        "v1.0-",
        "[0-9a-f]{24}-[0-9a-f]{146}",
        "v1.0-{h24}-{h146}",
    ),
    token("Figma token", "figd_", "[0-9A-Za-z_-]{36,60}", "figd_{a40}"),
    token("GitHub token", "gho_", "[0-9A-Za-z]{36}", "gho_{a36}"),
    token("GitHub token", "ghp_", "[0-9A-Za-z]{36}", "ghp_{a36}"),
    token("GitHub token", "ghr_", "[0-9A-Za-z]{36,76}", "ghr_{a36}"),
    token("GitHub token", "ghs_", "[0-9A-Za-z]{36}", "ghs_{a36}"),
    token("GitHub token", "ghu_", "[0-9A-Za-z]{36}", "ghu_{a36}"),
    token(
        "GitHub token",
        "github_pat_",
        "[0-9A-Za-z_-]{50,}",
        "github_pat_{a82}",
    ),
    token(
        "GitLab token",
        "gldt-",
        "[0-9A-Za-z_-]{20,60}",
        "gldt-{a20}",
    ),
    token(
        "GitLab token",
        "glpat-",
        "[0-9A-Za-z_-]{20,60}",
        "glpat-{a20}",
    ),
    token(
        "GitLab token",
        "glptt-",
        "[0-9A-Za-z_-]{20,60}",
        "glptt-{a20}",
    ),
    token(
        "GitLab token",
        "glrt-",
        "[0-9A-Za-z_-]{20,60}",
        "glrt-{a20}",
    ),
    token(
        "GitLab token",
        "glcbt-",
        "[0-9A-Za-z_-]{20,60}",
        "glcbt-{a24}",
    ),
    token(
        "GitLab token",
        "glagent-",
        "[0-9A-Za-z_-]{50,60}",
        "glagent-{a50}",
    ),
    token("Grafana token", "glsa_", "[0-9A-Za-z_-]{41}", "glsa_{a41}"),
    token("Grafana token", "glc_", "[0-9A-Za-z+/]{60,}", "glc_{a80}"),
    token("Groq key", "gsk_", "[0-9A-Za-z]{52}", "gsk_{a52}"),
    token("Hugging Face token", "hf_", "[0-9A-Za-z]{34}", "hf_{a34}"),
    token("Vault token", "hvb.", "[0-9A-Za-z_-]{90,}", "hvb.{a120}"),
    token("Vault token", "hvs.", "[0-9A-Za-z_-]{24,}", "hvs.{a24}"),
    token("Linear key", "lin_api_", "[0-9A-Za-z]{40}", "lin_api_{a40}"),
    token("Notion token", "ntn_", "[0-9A-Za-z]{40,60}", "ntn_{a46}"),
    token("npm token", "npm_", "[0-9A-Za-z]{36}", "npm_{a36}"),
    token(
        "1Password token",
        "ops_eyJ",
        "[0-9A-Za-z_-]{100,}",
        "ops_eyJ{a120}",
    ),
    token(
        "PlanetScale password",
        "pscale_pw_",
        "[0-9A-Za-z_-]{32,64}",
        "pscale_pw_{a32}",
    ),
    token(
        "PlanetScale token",
        "pscale_tkn_",
        "[0-9A-Za-z_-]{32,64}",
        "pscale_tkn_{a32}",
    ),
    token("Pulumi token", "pul-", "[0-9a-f]{40}", "pul-{h40}"),
    token(
        "PyPI token",
        "pypi-AgEIcHlwaS5vcmc",
        "[0-9A-Za-z_-]{50,}",
        "pypi-AgEIcHlwaS5vcmc{a60}",
    ),
    token(
        "RubyGems key",
        "rubygems_",
        "[0-9a-f]{48}",
        "rubygems_{h48}",
    ),
    token(
        "Stripe key",
        "rk_live_",
        "[0-9A-Za-z]{16,}",
        "rk_live_{a24}",
    ),
    token(
        "Stripe key",
        "sk_live_",
        "[0-9A-Za-z]{16,}",
        "sk_live_{a24}",
    ),
    token(
        "Stripe webhook secret",
        "whsec_",
        "[0-9A-Za-z+/]{32,80}",
        "whsec_{a32}",
    ),
    token("Supabase token", "sbp_", "[0-9a-f]{40}", "sbp_{h40}"),
    token("Shopify token", "shpat_", "[0-9a-f]{32}", "shpat_{h32}"),
    token("Shopify token", "shpss_", "[0-9a-f]{32}", "shpss_{h32}"),
    token(
        "Anthropic key",
        "sk-ant-",
        "[0-9A-Za-z_-]{32,}",
        "sk-ant-{a40}",
    ),
    token(
        "OpenAI key",
        "sk-proj-",
        "[0-9A-Za-z_-]{40,}",
        "sk-proj-{a48}",
    ),
    token(
        "OpenAI key",
        "sk-svcacct-",
        "[0-9A-Za-z_-]{40,}",
        "sk-svcacct-{a48}",
    ),
    token("OpenAI key", "sk-", "[0-9A-Za-z]{48}", "sk-{a48}"),
    token(
        "Sentry token",
        "sntrys_",
        "[0-9A-Za-z_-]{40,}",
        "sntrys_{a60}",
    ),
    token("Sentry token", "sntryu_", "[0-9a-f]{64}", "sntryu_{h64}"),
    token("SonarQube token", "sqp_", "[0-9a-f]{40}", "sqp_{h40}"),
    token("SonarQube token", "squ_", "[0-9a-f]{40}", "squ_{h40}"),
    token(
        "Square token",
        "sq0csp-",
        "[0-9A-Za-z_-]{43}",
        "sq0csp-{a43}",
    ),
    token(
        "Tailscale key",
        "tskey-auth-",
        "[0-9A-Za-z_-]{20,80}",
        "tskey-auth-{a30}",
    ),
    token(
        "Tailscale key",
        "tskey-api-",
        "[0-9A-Za-z_-]{20,80}",
        "tskey-api-{a30}",
    ),
    token(
        "Slack token",
        "xapp-1-",
        "[0-9A-Za-z_-]{30,}",
        "xapp-1-{a30}",
    ),
    token("Slack token", "xoxa-", "[0-9A-Za-z_-]{20,}", "xoxa-{a30}"),
    token("Slack token", "xoxb-", "[0-9A-Za-z_-]{20,}", "xoxb-{a30}"),
    token("Slack token", "xoxp-", "[0-9A-Za-z_-]{20,}", "xoxp-{a30}"),
    token("Slack token", "xoxr-", "[0-9A-Za-z_-]{20,}", "xoxr-{a30}"),
    token("Slack token", "xoxs-", "[0-9A-Za-z_-]{20,}", "xoxs-{a30}"),
    placed(
        "HCP Terraform token",
        ".atlasv1.",
        "([0-9A-Za-z_-]{60,})",
        Check::Varied,
        ["{a14}.atlasv1.{a67}", "{a14}.atlasv1.{a12}"],
    ),
    placed(
        "Azure client secret",
        "Q~",
        "([0-9A-Za-z_.~-]{31,34})",
        Check::Varied,
        ["abc8Q~{a34}", "abc8Q~{a12}"],
    ),
    Form {
        longest: LONG,
        ..token(
            "JSON Web Token",
            "eyJ",
            r"[0-9A-Za-z_-]{13,}\.eyJ[0-9A-Za-z_-]{13,}\.[0-9A-Za-z_-]{16,}",
            "eyJ{a20}.eyJ{a20}.{a43}",
        )
    },
];

/// The forms of addresses that are a credential: whoever has the address may do what it is for.
pub(super) const ADDRESSES: &[Form] = &[
    placed(
        "shared access signature",
        "sig=",
        r"([0-9A-Za-z+/_-][0-9A-Za-z%+/_-]{19,}={0,2})",
        Check::Varied,
        [
            "https://a.blob.core.windows.net/c?sv=2022-11-02&sig={a43}%3D",
            "https://a.example/?sig=none",
        ],
    ),
    placed(
        "Azure function key",
        "azurewebsites.net/",
        r#"[^\x00-\x20"'<>]*[?&]code=([0-9A-Za-z%+/_-]{40,}={0,2})"#,
        Check::Varied,
        [
            "https://f.azurewebsites.net/api/run?code={a54}==",
            "https://f.azurewebsites.net/api/run?code=200",
        ],
    ),
    placed(
        "signature of an address",
        "X-Amz-Signature=",
        "([0-9a-f]{64})",
        Check::Varied,
        [
            "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature={h64}",
            "X-Amz-Signature=HEX",
        ],
    ),
    placed(
        "AWS session token",
        "X-Amz-Security-Token=",
        "([0-9A-Za-z%+/_-]{60,})",
        Check::Varied,
        [
            "https://b/?X-Amz-Security-Token={a99}",
            "X-Amz-Security-Token=x",
        ],
    ),
    placed(
        "signature of an address",
        "X-Goog-Signature=",
        "([0-9a-f]{64,})",
        Check::Varied,
        [
            "https://storage.googleapis.com/b/k?X-Goog-Signature={h512}",
            "X-Goog-Signature=HEX",
        ],
    ),
    placed(
        "signature of an address",
        "&Signature=",
        "([0-9A-Za-z%+/_~-]{24,}={0,2})",
        Check::Varied,
        [
            "https://d.cloudfront.net/k?Expires=1&Signature={a344}&Key-Pair-Id=K",
            "https://d.example/k?a=1&Signature=required",
        ],
    ),
    placed(
        "signature of an address",
        "?Signature=",
        "([0-9A-Za-z%+/_~-]{24,}={0,2})",
        Check::Varied,
        [
            "https://d.cloudfront.net/k?Signature={a344}&Expires=1",
            "https://d.example/k?Signature=required",
        ],
    ),
    placed(
        "Slack webhook",
        "hooks.slack.com/",
        "(?:services|workflows|triggers)/(T[0-9A-Za-z/_-]{24,})",
        Check::Varied,
        [
            "https://hooks.slack.com/services/T{u10}/B{u10}/{a24}",
            "https://hooks.slack.com/services/",
        ],
    ),
    placed(
        "Discord webhook",
        "/webhooks/",
        "[0-9]{15,22}/([0-9A-Za-z_-]{40,})",
        Check::Varied,
        [
            "https://discord.com/api/webhooks/123456789012345678/{a68}",
            "https://api.example/webhooks/123456789012345678/events",
        ],
    ),
    placed(
        "Teams webhook",
        ".webhook.office.com/",
        r#"(webhookb2/[^\x00-\x20"'<>?]{40,})"#,
        Check::Varied,
        [
            "https://x.webhook.office.com/webhookb2/{h36}@{h36}/IncomingWebhook/{h32}/{h36}",
            "https://x.webhook.office.com/webhookb2/",
        ],
    ),
    placed(
        "Teams webhook",
        "outlook.office.com/webhook/",
        r#"([^\x00-\x20"'<>?]{40,})"#,
        Check::Varied,
        [
            "https://outlook.office.com/webhook/{h36}@{h36}/IncomingWebhook/{h32}/{h36}",
            "https://outlook.office.com/webhook/",
        ],
    ),
    placed(
        "Telegram token",
        "api.telegram.org/bot",
        "[0-9]{6,12}:([0-9A-Za-z_-]{30,50})",
        Check::Varied,
        [
            "https://api.telegram.org/bot123456789:{a35}/sendMessage",
            "https://api.telegram.org/bot",
        ],
    ),
    placed(
        "Telegram token",
        ":AA",
        "([0-9A-Za-z_-]{33})",
        Check::AfterDigits,
        ["123456789:AA{a33}", "x:AA{a33}"],
    ),
    placed(
        "PagerDuty key",
        "events.pagerduty.com/integration/",
        "([0-9a-f]{32})",
        Check::Varied,
        [
            "https://events.pagerduty.com/integration/{h32}/enqueue",
            "https://events.pagerduty.com/integration/",
        ],
    ),
    placed(
        "webhook",
        "hooks.zapier.com/hooks/catch/",
        "[0-9]+/([0-9A-Za-z]{5,20})",
        Check::Varied,
        [
            "https://hooks.zapier.com/hooks/catch/1234567/{a7}/",
            "https://hooks.zapier.com/hooks/catch/1234567/",
        ],
    ),
    placed(
        "webhook",
        "make.com/",
        "([0-9a-z]{32})",
        Check::Varied,
        ["https://hook.eu1.make.com/{h32}", "https://www.make.com/en"],
    ),
    placed(
        "webhook",
        "maker.ifttt.com/trigger/",
        "[^/]+/(?:json/)?with/key/([0-9A-Za-z_-]{20,60})",
        Check::Varied,
        [
            "https://maker.ifttt.com/trigger/e/with/key/{a43}",
            "https://maker.ifttt.com/trigger/e",
        ],
    ),
    placed(
        "webhook",
        "hc-ping.com/",
        "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
        Check::Varied,
        [
            "https://hc-ping.com/1f3e5a7c-1b2d-4f6a-8c9e-0a1b2c3d4e5f",
            "https://hc-ping.com/docs",
        ],
    ),
    placed(
        "webhook",
        "/hooks/",
        "((?:[0-9A-Za-z]{17}/)?[0-9A-Za-z]{26,60})",
        Check::Varied,
        [
            "https://mattermost.example/hooks/{h26}",
            "https://chat.example/hooks/incoming",
        ],
    ),
    placed(
        "password in a URL",
        "://",
        r##"([^/?#"'<`,\x00-\x20:]*):([^/?#"'<`,\x00-\x20]+)@[^@/?#"'<`,\x00-\x20]"##,
        Check::InAddress,
        [
            "postgres://app:{a9}@db/x",
            "https://user:password@example.com",
        ],
    ),
];

/// The forms of headers, files and statements that have a credential at a known place.
pub(super) const PLACES: &[Form] = &[
    placed(
        "AWS secret access key",
        "aws_secret_access_key",
        r#"[ =:"'\\]{1,6}([0-9A-Za-z+/]{40})"#,
        Check::Mixed,
        [
            "export AWS_SECRET_ACCESS_KEY=\"{a40}\"",
            "AWS_SECRET_ACCESS_KEY={a41}",
        ],
    ),
    placed(
        "AWS session token",
        "aws_session_token",
        r#"[ =:"'\\]{1,6}([0-9A-Za-z+/=]{50,})"#,
        Check::Mixed,
        ["aws_session_token={a99}", "aws_session_token=${TOKEN}"],
    ),
    placed(
        "credential",
        "authorization",
        r#"["'\\]*[ \t]*[:=,][ \t]*["'\\]*(?i-u:Bearer|Basic|Token|OAuth|Key|ApiKey|Splunk|GenieKey|SSWS)[ \t=]+["'\\]*(?:token=)?([^\x00-\x20"'\\,;]{8,})"#,
        Check::Password,
        [
            "Authorization: Bearer {a40}",
            "Authorization: Bearer ${var.token}",
        ],
    ),
    placed(
        "token",
        "bearer",
        r"[ \t]+([0-9A-Za-z_.~+/=-]{16,})",
        Check::Random,
        ["Bearer {a40}", "bearer authentication-is-required"],
    ),
    placed(
        "credential",
        "basic",
        r"[ \t]+([0-9A-Za-z+/]{8,}={0,2})",
        Check::Login,
        ["Basic YXBwOmNvcnJlY3Rob3JzZQ==", "Basic authentication"],
    ),
    placed(
        "password",
        "login",
        r"[ \t\r\n]+[^\x00-\x20]+[ \t\r\n]+password[ \t\r\n]+([^\x00-\x20]+)",
        Check::Password,
        [
            "machine a.example\n  login app\n  password {a12}",
            "the login form password required",
        ],
    ),
    placed(
        "password",
        "requirepass",
        concat!("[ \t]+", word!()),
        Check::Password,
        ["requirepass {a16}", "requirepass $PASS"],
    ),
    placed(
        "password",
        "masterauth",
        concat!("[ \t]+", word!()),
        Check::Password,
        ["masterauth {a16}", "masterauth $PASS"],
    ),
    placed(
        "password",
        "identified by",
        r#"(?:[ \t]+password)?[ \t]+["']([^"'\r\n]+)["']"#,
        Check::Password,
        [
            "CREATE USER 'app' IDENTIFIED BY '{a12}';",
            "CREATE USER 'app' IDENTIFIED BY RANDOM PASSWORD;",
        ],
    ),
    placed(
        "password",
        "password",
        r"[ \t]+'([^'\r\n]+)'",
        Check::Password,
        [
            "ALTER USER app WITH PASSWORD '{a12}';",
            "the password 'changeme' is the default",
        ],
    ),
    placed(
        "password",
        "chpasswd",
        r#"(?:[ \t]+-[A-Za-z]+)*[ \t]*<<<[ \t]*["']?[^\x00-\x20:"']+:([^\x00-\x20"']+)"#,
        Check::Password,
        ["chpasswd <<< 'root:{a12}'", "chpasswd <<< \"root:$PASS\""],
    ),
    placed(
        "password",
        "chpasswd",
        r#"(?:[ \t]+-[A-Za-z]+)*[ \t]*<<-?[ \t]*["']?[A-Za-z_]+["']?[^\n]*\n((?:[ \t]*[0-9A-Za-z._-]+:[^\r\n]+\n)+)"#,
        Check::Any,
        [
            "chpasswd <<EOF\nroot:{a12}\napp:{a14}\nEOF\n",
            "chpasswd < users\n",
        ],
    ),
    placed(
        "password",
        "chpasswd:",
        r#"[ \t]*\r?\n(?:[ \t]+expire:[^\n]*\n)?[ \t]+list:[ \t]*[|>]?[+-]?[ \t]*\r?\n((?:[ \t]+(?:- *)?["']?[0-9A-Za-z._-]+:[^\r\n]+(?:\n|$))+)"#,
        Check::Any,
        [
            "chpasswd:\n  list: |\n    root:{a12}\n    app:{a14}\n",
            "chpasswd:\n  expire: false\n",
        ],
    ),
    placed(
        "password",
        "<password>",
        r"([^<\r\n]+)</[Pp]assword>",
        Check::Password,
        ["<Password>{a12}</Password>", "<Password></Password>"],
    ),
    placed(
        "token",
        "<token>",
        r"([^<\r\n]+)</[Tt]oken>",
        Check::Random,
        ["<token>{a24}</token>", "<token>string</token>"],
    ),
];

/// The forms in which commands of scripts are given a credential.
pub(super) const COMMANDS: &[Form] = &[
    option(
        "-u",
        &[
            "curl",
            "wget",
            "http",
            "https",
            "xh",
            "jenkins-cli",
            "az",
            "nuget",
        ],
        concat!("(?:", separator!(), ")?", login!()),
        [
            "curl -s -u admin:{a14} https://x",
            "docker run -u 1000:1000 x",
        ],
    ),
    option(
        "--user",
        &["curl", "wget", "http", "https", "xh"],
        concat!(separator!(), login!()),
        [
            "curl --user 'admin:{a14}' https://x",
            "docker run --user app:appgroup x",
        ],
    ),
    option(
        "-U",
        &["curl"],
        concat!("(?:", separator!(), ")?", login!()),
        ["curl -U proxy:{a14} https://x", "psql -U app:x"],
    ),
    option(
        "--proxy-user",
        &["curl", "wget"],
        concat!(separator!(), login!()),
        [
            "curl --proxy-user proxy:{a14} https://x",
            "curl --proxy-user $LOGIN https://x",
        ],
    ),
    option(
        "-a",
        &["http", "https", "xh"],
        concat!(separator!(), login!()),
        ["http -a admin:{a14} x.example", "tar -a admin:files"],
    ),
    option(
        "-auth",
        &["jenkins-cli", "java", "http", "https"],
        concat!(separator!(), login!()),
        [
            "java -jar jenkins-cli.jar -auth admin:{a14} x",
            "java -auth required",
        ],
    ),
    option(
        "-p",
        &["sshpass"],
        concat!("(?:", separator!(), ")?", word!()),
        ["sshpass -p '{a14}' ssh app@x", "ssh -p 2222 app@x"],
    ),
    option(
        "-p",
        &[
            "login",
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoimport",
            "mongoexport",
            "cqlsh",
            "useradd",
            "usermod",
            "influx",
            "ejabberdctl",
        ],
        concat!(separator!(), word!()),
        [
            "docker login -u app -p {a14} r.example",
            "docker run -p 8080:80 x",
        ],
    ),
    option(
        "-p",
        &[
            "mysql",
            "mysqldump",
            "mysqladmin",
            "mysqlimport",
            "mysqlcheck",
            "mariadb",
            "mariadb-dump",
            "mariadb-admin",
            "7z",
            "7za",
        ],
        word!(),
        ["mysql -u root -p{a14} shop", "mkdir -p{a14}"],
    ),
    option(
        "-a",
        &["redis-cli"],
        concat!(separator!(), word!()),
        ["redis-cli -h x -a {a14} ping", "ls -a {a14}"],
    ),
    option(
        "-w",
        &[
            "ldapsearch",
            "ldapadd",
            "ldapmodify",
            "ldapdelete",
            "ldappasswd",
            "ldapwhoami",
        ],
        concat!(separator!(), word!()),
        ["ldapsearch -D cn=admin -w {a14} -b x", "ping -w {a14}"],
    ),
    option(
        "-P",
        &[
            "sqlcmd",
            "bcp",
            "osql",
            "zip",
            "unzip",
            "ipmitool",
            "mosquitto_pub",
            "mosquitto_sub",
            "isql",
        ],
        concat!(separator!(), word!()),
        ["sqlcmd -S x -U sa -P {a14} -Q y", "cp -P {a14} x"],
    ),
    option(
        "-u",
        &["lftp"],
        concat!(separator!(), r#"["']?[^\x00-\x20,"']+,([^\x00-\x20"']+)"#),
        ["lftp -u app,{a14} x.example", "sort -u app,{a14}"],
    ),
    option(
        "-U",
        &["smbclient", "rpcclient", "net", "smbget"],
        concat!(separator!(), r#"["']?[^\x00-\x20%"']+%([^\x00-\x20"']+)"#),
        ["smbclient //x/y -U app%{a14}", "psql -U app%{a14}"],
    ),
    option(
        "-k",
        &["openssl"],
        concat!(separator!(), word!()),
        ["openssl enc -aes-256-cbc -k {a14} -in x", "curl -k {a14}"],
    ),
    option(
        "pass:",
        &["openssl", "cmdkey"],
        r#"([^\x00-\x20"']+)"#,
        ["openssl rsa -passin pass:{a14} -in x", "bypass:{a14}"],
    ),
    option(
        "add_user",
        &["rabbitmqctl"],
        concat!("[ \t]+[^\\x00-\\x20]+[ \t]+", word!()),
        [
            "rabbitmqctl add_user app {a14}",
            "rabbitmqctl add_user app $PASS",
        ],
    ),
    option(
        "change_password",
        &["rabbitmqctl"],
        concat!("[ \t]+[^\\x00-\\x20]+[ \t]+", word!()),
        [
            "rabbitmqctl change_password app {a14}",
            "rabbitmqctl change_password app $PASS",
        ],
    ),
    option(
        "user",
        &["net"],
        concat!(r#"[ \t]+[^\x00-\x20/]+[ \t]+"#, word!()),
        ["net user app {a14} /add", "net user app *"],
    ),
    option(
        "/p:",
        &["xfreerdp", "mstsc"],
        word!(),
        ["xfreerdp /u:app /p:{a14} /v:h", "copy /p:{a14}"],
    ),
    option(
        "password",
        &["nmcli", "ipmitool"],
        concat!("[ \t]+(?:[0-9]+[ \t]+)?", word!()),
        [
            "nmcli dev wifi connect x password {a14}",
            "nmcli password $PASS",
        ],
    ),
    option(
        "<<<",
        &["login"],
        concat!("[ \t]*", word!()),
        [
            "gh auth login --with-token <<< {a14}",
            "docker login --password-stdin <<< $PASS",
        ],
    ),
    placed(
        "password",
        "htpasswd",
        concat!(
            "[ \t]+-[A-Za-z]*b[A-Za-z]*(?:[ \t]+[^\\x00-\\x20|;&<>]+)?[ \t]+[^\\x00-\\x20|;&<>]+[ \t]+",
            word!()
        ),
        Check::Password,
        ["htpasswd -bc /etc/x app {a14}", "htpasswd -c /etc/x app"],
    ),
    placed(
        "password",
        "ConvertTo-SecureString",
        r#"(?:[ \t]+-(?:String|AsPlainText|Force))*[ \t]+["']([^"'\r\n]+)["']"#,
        Check::Password,
        [
            "ConvertTo-SecureString \"{a14}\" -AsPlainText -Force",
            "ConvertTo-SecureString $x -AsPlainText -Force",
        ],
    ),
    placed(
        "password",
        "wpa_passphrase",
        concat!("[ \t]+[^\\x00-\\x20]+[ \t]+", word!()),
        Check::Password,
        ["wpa_passphrase net {a14}", "wpa_passphrase net $PASS"],
    ),
    placed(
        "token",
        "vault login",
        r"[ \t]+(?:token=)?([0-9A-Za-z_.-]{12,})",
        Check::Random,
        ["vault login {a26}", "vault login -method=github"],
    ),
    placed(
        "key",
        "mc alias set",
        concat!("(?:[ \t]+[^\\x00-\\x20]+){3}[ \t]+", word!()),
        Check::Password,
        [
            "mc alias set s https://x {u20} {a40}",
            "mc alias set s https://x $ID $KEY",
        ],
    ),
    placed(
        "password",
        "echo ",
        "(?:-[en]+[ \\t]+)*[\"']?[0-9A-Za-z._$-]+:([^\\x00-\\x20\"'|]+)[\"']?[ \\t]*\\|[ \\t]*(?:sudo[ \\t]+(?:-[A-Za-z]+[ \\t]+)*)?chpasswd",
        Check::Password,
        [
            "echo 'root:{a14}' | sudo chpasswd",
            "echo root:$PASS | chpasswd",
        ],
    ),
    placed(
        "password",
        "echo ",
        concat!(
            "(?:-[en]+[ \t]+)*",
            word!(),
            r"[ \t]*\|[ \t]*[^|\r\n]*(?:--password-stdin|--stdin|sudo[ \t]+-S|--with-token)"
        ),
        Check::Password,
        [
            "echo \"{a14}\" | docker login -u app --password-stdin",
            "echo $PASS | docker login -u app --password-stdin",
        ],
    ),
    placed(
        "password",
        "printf ",
        "[\"']?(?:%s(?:\\\\n)?[\"']?[ \\t]+[\"']?)?[0-9A-Za-z._$-]+:([^\\x00-\\x20\"'|\\\\]+)(?:\\\\n)?[\"']?[ \\t]*\\|[ \\t]*(?:sudo[ \\t]+(?:-[A-Za-z]+[ \\t]+)*)?chpasswd",
        Check::Password,
        [
            "printf 'root:{a14}\\n' | chpasswd",
            "printf 'root:%s' $PASS | chpasswd",
        ],
    ),
    // `--client-secret kX9…`, `-token=kX9…`: the name of the option says what its value is.
    Form {
        name: "password",
        mark: "-",
        rest: concat!(
            "-?(?<name>[A-Za-z][0-9A-Za-z_.-]{2,}?)",
            separator!(),
            word!()
        ),
        longest: USUAL,
        place: Place::Option,
        check: Check::Named,
        hit: "app serve --token {a32}",
        miss: "app serve --token-file {a32}",
    },
];
