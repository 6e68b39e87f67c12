//! Rules for charts of Helm, wherever their values are.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Who may reach or do more.
    // Charts.
    exposure("@chart", "@chart.auth.enabled", Off)
        .what("without a login")
        .unless_created(),
    // What guards, records or backs up.
    protection("@chart", "@chart.persistence.enabled", Off).what("data is lost when the pod goes"),
    protection("@chart", "@chart.persistentVolume.enabled", Off)
        .what("data is lost when the pod goes"),
    protection("@chart", "@chart.networkPolicy.enabled", Off),
    protection("@chart", "@chart.tls.enabled", Off),
    protection("@chart", "@chart.backup.enabled", Off),
    protection("@chart", "@chart.podDisruptionBudget.enabled", Off).level(Notice),
    protection("@chart", "@chart.podDisruptionBudget.create", Off).level(Notice),
    protection("@chart", "@chart.alertmanager.enabled", Off),
    protection("@chart", "@chart.retention", Lower).what("older data is deleted"),
    protection("@chart", "@chart.retentionPeriod", Lower).what("older data is deleted"),
    protection(
        "@chart",
        "@chart.architecture",
        order("standalone|replication*"),
    )
    .what("without replicas"),
    protection(
        "@chart",
        "@chart.policy",
        order("sync|upsert-only|create-only"),
    )
    .what("records that it does not know are deleted")
    .only_if(&[Needs(".chart", "*external-dns")]),
];
