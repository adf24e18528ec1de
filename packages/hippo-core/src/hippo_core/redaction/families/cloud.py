"""Keys of clouds and of places that run programs."""

from hippo_core.redaction.checks import placeholder, random_looking
from hippo_core.redaction.rule import Rule, embedded, token


def _not_placeholder(value: str) -> bool:
    return not placeholder(value)


def _mixed(value: str) -> bool:
    return random_looking(value) and any(map(str.islower, value)) and any(map(str.isupper, value))


RULES: tuple[Rule, ...] = (
    token(
        "aws-access-key-id",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"[A-Z0-9]{16}",
        check=_not_placeholder,
        look_alikes=("AKIA" + "IOSFODNN7" + "EXAMPLE", "AKIA" + "X" * 16, "ASIA_PACIFIC"),
    ),
    Rule(
        kind="aws-secret-access-key",
        literals=("akia", "asia"),
        pattern=r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])[\s\S]{0,160}?(?<![A-Za-z0-9/+=_-])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=_-])",
        gate=r"(?:AKIA|ASIA)[A-Z0-9]{16}",
        check=_mixed,
        look_alikes=("wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",),
    ),
    Rule(
        kind="aws-secret-access-key",
        literals=("secret access key", "secret_access_key", "secretaccesskey"),
        pattern=r"(?i:secret[ _]?access[ _]?key)[^\n]{0,24}?[:= ]{1,3}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
        check=_mixed,
        look_alikes=("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",),
    ),
    token(
        "aws-session-token",
        ("IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz", "FwoDYXdz"),
        r"[A-Za-z0-9/+=]{60,}",
        end="",
        look_alikes=("IQoJb3JpZ2lu",),
    ),
    token(
        "aws-bedrock-key",
        ("ABSKQmVkcm9ja0FQSUtleS", "bedrock-api-key-YmVkcm9jay"),
        r"[A-Za-z0-9+/=]{30,400}",
        end="",
        look_alikes=("bedrock-api-key-name",),
    ),
    token(
        "google-api-key",
        "AIza",
        r"[0-9A-Za-z_-]{35}",
        check=random_looking,
        end=r"(?![0-9A-Za-z_-])",
        look_alikes=("AIza" + "x" * 35,),
    ),
    token(
        "google-oauth-token",
        "ya29.",
        r"[0-9A-Za-z_-]{20,}",
        end="",
        check=random_looking,
        look_alikes=("ya29.html",),
    ),
    token(
        "google-oauth-secret",
        "GOCSPX-",
        r"[A-Za-z0-9_-]{20,40}",
        check=random_looking,
        look_alikes=("GOCSPX-" + "x" * 28,),
    ),
    token(
        "google-refresh-token", "1//0", r"[A-Za-z0-9_-]{40,200}", check=random_looking, look_alikes=("1//0",)
    ),
    Rule(
        kind="azure-shared-key",
        literals=("accountkey=", "sharedaccesskey=", "sharedsecret="),
        pattern=r"(?i:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{40,100}={0,2})",
        check=_not_placeholder,
        look_alikes=("AccountKey=<key>;", "SharedAccessKeyName=Root;"),
    ),
    Rule(
        kind="azure-sas-signature",
        literals=("sig=",),
        pattern=r"(?<=[?&;\"' ])sig=([A-Za-z0-9%+/_-]{40,200}={0,2})",
        check=random_looking,
        look_alikes=("?sig=none&sv=2024",),
    ),
    embedded(
        "azure-client-secret",
        "q~",
        r"[A-Za-z0-9_~.-]",
        r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
        look_alikes=("faq~notes",),
    ),
    embedded(
        "azure-devops-token",
        "azdo",
        r"[A-Za-z0-9]",
        r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}",
        look_alikes=("azdoBoards",),
    ),
    embedded(
        "azure-service-key",
        ("jqqj99", "+ast", "+acdb", "azsea", "azfu", "+aria", "azca", "+aeh"),
        r"[A-Za-z0-9+/]",
        r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}|[A-Za-z0-9+/]{76}\+?ACDb[A-Za-z0-9+/]{6}"
        r"|[A-Za-z0-9+/]{33}\+(?:ASb|AEh|ARm)[A-Za-z0-9+/]{6}|[A-Za-z0-9+/]{42}AzSe[A-D][A-Za-z0-9+/]{5}"
        r"|[A-Za-z0-9+/]{44}AzFu[A-Za-z0-9+/]{4,8}|[A-Za-z0-9+/]{42,72}(?:AzCa|\+ACR)[A-Za-z0-9+/]{4,8}",
        look_alikes=("AzSearchClient",),
    ),
    token(
        "digitalocean-token",
        ("dop_v1_", "doo_v1_", "dor_v1_", "dot_v1_"),
        r"[a-f0-9]{64}",
        bounded=False,
        check=random_looking,
        look_alikes=("dop_v1_" + "0" * 64,),
    ),
    token(
        "digitalocean-spaces-key",
        "DO00",
        r"[A-Z0-9]{16}",
        check=random_looking,
        look_alikes=("DO00" + "X" * 16,),
    ),
    token(
        "alibaba-access-key-id",
        "LTAI",
        r"[A-Za-z0-9]{12,26}",
        check=random_looking,
        look_alikes=("LTAI" + "X" * 16,),
    ),
    token(
        "tencent-secret-id",
        "AKID",
        r"[A-Za-z0-9]{32}",
        check=random_looking,
        look_alikes=("AKID" + "x" * 32,),
    ),
    token(
        "yandex-key",
        ("AQVN", "YCAJ", "YCN"),
        r"[A-Za-z0-9_-]{22,60}",
        check=_mixed,
        look_alikes=("AQVN" + "x" * 35,),
    ),
    token(
        "cloudflare-token",
        ("v1.0-", "cfut_", "cfat_", "cfk_"),
        r"(?:[a-f0-9]{24}-[a-f0-9]{140,150}|[A-Za-z0-9_-]{40,60})",
        check=random_looking,
        look_alikes=("v1.0-beta", "v1.0-20240101000000-0a1b2c3d4e5f"),
    ),
    token(
        "heroku-token",
        "HRKU-",
        r"[A-Za-z0-9_-]{36,70}",
        check=random_looking,
        look_alikes=("HRKU-" + "x" * 60,),
    ),
    Rule(
        kind="heroku-api-key",
        literals=("heroku",),
        pattern=r"(?i:heroku)[^\n]{0,48}?(?i:key|token|secret|auth|pass)[^\n]{0,16}?\b([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\b",
        gate=r"heroku",
        look_alikes=("heroku release 01234567-89ab-cdef-0123-456789abcdef",),
    ),
    token(
        "fly-token",
        ("fm1r_", "fm1a_", "fm2_", "fo1_"),
        r"[A-Za-z0-9+/=_-]{40,}",
        end="",
        look_alikes=("fm2_radio",),
    ),
    token(
        "netlify-token", "nfp_", r"[A-Za-z0-9]{36,44}", check=random_looking, look_alikes=("nfp_" + "x" * 40,)
    ),
    token(
        "vercel-token",
        ("vcp_", "vck_", "vca_", "vci_", "vcr_"),
        r"[A-Za-z0-9]{24,64}",
        check=random_looking,
        look_alikes=("vcp_name",),
    ),
    token(
        "render-token",
        "rnd_",
        r"[A-Za-z0-9]{28,40}",
        check=random_looking,
        look_alikes=("rnd_uniform_distribution",),
    ),
    token(
        "supabase-token",
        ("sbp_", "sb_secret_"),
        r"[A-Za-z0-9_-]{30,60}",
        check=random_looking,
        look_alikes=("sb_secret_name",),
    ),
    token(
        "planetscale-token",
        ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"),
        r"[A-Za-z0-9_.=-]{32,64}",
        look_alikes=("pscale_pw_name",),
    ),
    token(
        "neon-token", "napi_", r"[a-z0-9]{40,80}", check=random_looking, look_alikes=("napi_create_function",)
    ),
    token(
        "databricks-token",
        ("dapi", "dkea", "dose"),
        r"[a-f0-9]{32}(?:-[0-9])?",
        check=random_looking,
        look_alikes=("dapi" + "0" * 32,),
    ),
    token("scaleway-key", "SCW", r"[A-Z0-9]{17}", check=random_looking, look_alikes=("SCW" + "X" * 17,)),
    token(
        "tailscale-key",
        "tskey-",
        r"[a-z]{2,12}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,64}",
        look_alikes=("tskey-auth-name",),
    ),
)
