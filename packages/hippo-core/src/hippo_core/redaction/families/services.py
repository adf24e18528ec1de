"""Tokens of package registries, build servers, vaults, monitors, mailers and other services."""

from hippo_core.redaction.checks import github_checksum, placeholder, random_looking
from hippo_core.redaction.rule import Rule, embedded, token

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


REGISTRIES: tuple[Rule, ...] = (
    token(
        "npm-token",
        "npm_",
        r"[A-Za-z0-9]{36}",
        bounded=False,
        check=github_checksum,
        look_alikes=("npm_" + "x" * 36, "npm_config_registry"),
    ),
    token(
        "pypi-token",
        ("pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZ"),
        r"[A-Za-z0-9_-]{40,}",
        bounded=False,
        end="",
        look_alikes=("pypi-AgEIcHlwaS5vcmc",),
    ),
    token(
        "pypi-long-token",
        "pypi-",
        r"[A-Za-z0-9_-]{80,}",
        end="",
        check=random_looking,
        look_alikes=("pypi-publish-action",),
    ),
    token("crates-token", "cio", r"[A-Za-z0-9]{32}", check=random_looking, look_alikes=("cio" + "x" * 32,)),
    token(
        "rubygems-token",
        "rubygems_",
        r"[a-f0-9]{48}",
        bounded=False,
        check=random_looking,
        look_alikes=("rubygems_mirror",),
    ),
    token("nuget-key", "oy2", r"[a-z0-9]{43}", check=random_looking, look_alikes=("oy2" + "x" * 43,)),
    token(
        "docker-token",
        ("dckr_pat_", "dckr_oat_"),
        r"[A-Za-z0-9_-]{24,40}",
        check=random_looking,
        look_alikes=("dckr_pat_" + "x" * 27,),
    ),
    token(
        "clojars-token", "CLOJARS_", r"[a-f0-9]{60}", check=random_looking, look_alikes=("CLOJARS_PASSWORD",)
    ),
    token(
        "jfrog-token",
        ("AKCp", "cmVmdGtuOj"),
        r"[A-Za-z0-9]{54,80}",
        check=random_looking,
        look_alikes=("AKCp" + "x" * 69,),
    ),
    token(
        "jsr-token",
        ("jsrp_", "jsrd_"),
        r"[A-Za-z0-9_-]{30,60}",
        check=random_looking,
        look_alikes=("jsrp_" + "x" * 40,),
    ),
)

BUILDERS: tuple[Rule, ...] = (
    token(
        "circleci-token",
        ("CCIPAT_", "CCIPRJ_"),
        r"[A-Za-z0-9_]{40,90}",
        check=random_looking,
        look_alikes=("CCIPAT_name",),
    ),
    token(
        "buildkite-token",
        ("bkua_", "bkct_", "bkaj_", "bkpt_"),
        r"[a-z0-9]{40,64}",
        check=random_looking,
        look_alikes=("bkua_" + "x" * 40,),
    ),
    embedded(
        "terraform-token",
        ".atlasv1.",
        r"[A-Za-z0-9._-]",
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,90}",
        look_alikes=("module.atlasv1.name",),
    ),
    token(
        "vault-token",
        ("hvs.", "hvb.", "hvr."),
        r"[A-Za-z0-9_-]{24,300}",
        check=random_looking,
        look_alikes=("hvs." + "x" * 24,),
    ),
    token(
        "doppler-token",
        tuple(f"dp.{name}." for name in ("pt", "st", "ct", "sa", "scim", "audit", "said")),
        r"(?:[a-z0-9_-]{1,40}\.)?[A-Za-z0-9]{40,44}",
        check=random_looking,
        look_alikes=("dp.pt.name",),
    ),
    token("pulumi-token", "pul-", r"[a-f0-9]{40}", check=random_looking, look_alikes=("pul-" + "0" * 40,)),
    token(
        "sentry-token",
        ("sntrys_", "sntryu_"),
        r"[A-Za-z0-9_=+/-]{40,}",
        end="",
        check=random_looking,
        look_alikes=("sntrys_token",),
    ),
    token(
        "grafana-token",
        ("glsa_", "glc_"),
        r"[A-Za-z0-9_=+/]{30,400}",
        check=random_looking,
        look_alikes=("glsa_" + "x" * 32,),
    ),
    token(
        "newrelic-key",
        ("NRAK-", "NRII-", "NRJS-", "NRRA-", "NRSP-", "NRAA-"),
        r"[A-Za-z0-9_-]{19,50}",
        check=random_looking,
        look_alikes=("NRAK-" + "X" * 27,),
    ),
    embedded(
        "newrelic-license",
        "nral",
        r"[A-Za-z0-9]",
        r"[a-f0-9]{36}NRAL|[a-z]{2}[0-9]{2}xx[a-f0-9]{30}NRAL",
        look_alikes=("generally", "mineral"),
    ),
    token(
        "launchdarkly-key",
        ("sdk-", "mob-", "api-"),
        _UUID,
        look_alikes=("sdk-version", "api-gateway-01234567-89ab"),
    ),
    token(
        "sonar-token",
        ("sqp_", "squ_", "sqa_"),
        r"[a-f0-9]{40}",
        check=random_looking,
        look_alikes=("sqp_" + "0" * 40,),
    ),
    token(
        "honeycomb-key",
        ("hcaik_", "hcxik_", "hcbik_", "hcamk_"),
        r"[a-z0-9]{20,80}",
        check=random_looking,
        look_alikes=("hcaik_name",),
    ),
    token(
        "dynatrace-token",
        ("dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."),
        r"[A-Z0-9]{8,24}\.[A-Z0-9]{64}",
        look_alikes=("dt0c01.name",),
    ),
    token(
        "posthog-key",
        "phx_",
        r"[A-Za-z0-9]{40,64}",
        check=random_looking,
        look_alikes=("phc_public_project_key",),
    ),
    token("openshift-token", "sha256~", r"[A-Za-z0-9_-]{43}", look_alikes=("sha256~",)),
    token("octopus-key", "API-", r"[A-Z0-9]{25,32}", check=random_looking, look_alikes=("API-" + "X" * 26,)),
    token(
        "prefect-key",
        ("pnu_", "pnb_"),
        r"[A-Za-z0-9]{36}",
        check=random_looking,
        look_alikes=("pnu_" + "x" * 36,),
    ),
    token(
        "age-secret-key",
        ("AGE-SECRET-KEY-1", "AGE-PLUGIN-"),
        r"[0-9A-Z]{58}",
        look_alikes=("AGE-SECRET-KEY-1...",),
    ),
    token("onepassword-token", "ops_eyJ", r"[A-Za-z0-9_=+/-]{80,}", end="", look_alikes=("ops_eyJ",)),
    token("infisical-token", "st.", rf"{_UUID}\.[a-f0-9]{{32}}\.[a-f0-9]{{32}}", look_alikes=("st.name",)),
)

OTHERS: tuple[Rule, ...] = (
    token(
        "sendgrid-key",
        "SG.",
        r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}",
        check=random_looking,
        end=r"(?![A-Za-z0-9_-])",
        look_alikes=("SG." + "x" * 22 + "." + "x" * 43,),
    ),
    token(
        "mailgun-key",
        ("key-", "pubkey-"),
        r"[0-9a-f]{32}",
        check=random_looking,
        look_alikes=("key-" + "0" * 32,),
    ),
    Rule(
        kind="mailgun-private-key",
        literals=("mailgun",),
        pattern=r"(?i:mailgun)[^\n]{0,60}?\b([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b",
        gate="mailgun",
        look_alikes=("mailgun.org/v3/messages",),
    ),
    embedded(
        "mailchimp-key",
        "-us",
        r"[A-Za-z0-9-]",
        r"[0-9a-f]{32}-us[0-9]{1,2}",
        look_alikes=("cluster-us1", "eu-us-bridge"),
    ),
    token(
        "brevo-key", ("xkeysib-", "xsmtpsib-"), r"[a-f0-9]{64}-[A-Za-z0-9]{16}", look_alikes=("xkeysib-name",)
    ),
    token(
        "resend-key",
        "re_",
        r"[A-Za-z0-9]{8}_[A-Za-z0-9]{20,32}",
        check=random_looking,
        look_alikes=("re_exported_constant_values_of_types",),
    ),
    token(
        "twilio-key",
        ("SK", "AC"),
        r"[0-9a-f]{32}",
        check=random_looking,
        look_alikes=("SK" + "0" * 32, "ACcount"),
    ),
    token(
        "linear-key",
        ("lin_api_", "lin_oauth_"),
        r"[A-Za-z0-9]{32,64}",
        check=random_looking,
        look_alikes=("lin_api_" + "x" * 40,),
    ),
    token(
        "notion-token",
        ("ntn_", "secret_"),
        r"[A-Za-z0-9]{43,50}",
        check=random_looking,
        look_alikes=("secret_" + "x" * 43,),
    ),
    token(
        "figma-token",
        ("figd_", "figdr_", "figo_"),
        r"[A-Za-z0-9_-]{36,64}",
        check=random_looking,
        look_alikes=("figd_" + "x" * 40,),
    ),
    token(
        "postman-key",
        "PMAK-",
        r"[a-f0-9]{24}-[a-f0-9]{34}",
        check=random_looking,
        look_alikes=("PMAK-" + "0" * 24 + "-" + "0" * 34,),
    ),
    token(
        "airtable-token", "pat", r"[A-Za-z0-9]{14}\.[a-f0-9]{64}", look_alikes=("path.to.module", "pattern")
    ),
    token(
        "contentful-token",
        "CFPAT-",
        r"[A-Za-z0-9_-]{43}",
        check=random_looking,
        look_alikes=("CFPAT-" + "x" * 43,),
    ),
    token(
        "dropbox-token",
        ("sl.", "sl.u."),
        r"[A-Za-z0-9_-]{100,}",
        end="",
        check=random_looking,
        look_alikes=("sl.html",),
    ),
    token(
        "facebook-token",
        "EAA",
        r"(?:[A-Z]{1,3}[A-Za-z0-9]{80,300})",
        check=random_looking,
        look_alikes=("EAA" + "A" * 90,),
    ),
    token(
        "twitter-token",
        "AAAAAAAAAAAAAAAAAAAA",
        r"[A-Za-z0-9%]{30,120}",
        check=lambda value: "%" in value and not placeholder(value[22:]),
        look_alikes=("A" * 64,),
    ),
    token(
        "hubspot-token",
        ("pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"),
        _UUID,
        look_alikes=("pat-na1-name",),
    ),
    token(
        "typeform-token",
        "tfp_",
        r"[A-Za-z0-9_.=-]{40,64}",
        check=random_looking,
        look_alikes=("tfp_" + "x" * 44,),
    ),
    token(
        "shippo-token", ("shippo_live_", "shippo_test_"), r"[a-f0-9]{40}", look_alikes=("shippo_live_mode",)
    ),
    token(
        "easypost-key",
        ("EZAK", "EZTK"),
        r"[A-Za-z0-9]{54}",
        check=random_looking,
        look_alikes=("EZAK" + "x" * 54,),
    ),
    token("readme-key", "rdme_", r"[a-z0-9]{60,80}", check=random_looking, look_alikes=("rdme_url",)),
    token(
        "mapbox-token",
        ("sk.eyJ", "tk.eyJ"),
        r"[A-Za-z0-9_-]{20,200}\.[A-Za-z0-9_-]{20,60}",
        look_alikes=("sk.eyJ",),
    ),
    token("asana-token", ("1/", "2/"), r"[0-9]{14,17}(?:/[0-9]{14,17})?:[a-f0-9]{32}", look_alikes=("1/2",)),
    token(
        "frameio-token", "fio-u-", r"[A-Za-z0-9_=-]{60,70}", check=random_looking, look_alikes=("fio-u-name",)
    ),
    token(
        "duffel-token",
        ("duffel_live_", "duffel_test_"),
        r"[A-Za-z0-9_=-]{40,50}",
        check=random_looking,
        look_alikes=("duffel_test_mode",),
    ),
)

RULES: tuple[Rule, ...] = (*REGISTRIES, *BUILDERS, *OTHERS)
