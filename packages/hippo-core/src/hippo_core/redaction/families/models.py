"""Keys of places that run models."""

from hippo_core.redaction.checks import random_looking
from hippo_core.redaction.rule import Rule, token


def _hard(value: str) -> bool:
    return random_looking(value) and (any(map(str.isupper, value)) or sum(map(str.isdigit, value)) >= 5)


def _letters(value: str) -> bool:
    body = value[3:]
    return len(set(body)) > 12 and body != body.lower()


RULES: tuple[Rule, ...] = (
    token(
        "anthropic-key",
        "sk-ant-",
        r"[A-Za-z0-9_-]{20,300}",
        bounded=False,
        check=random_looking,
        end="",
        look_alikes=("sk-" + "ant-your-key-goes-here-now", "sk-" + "ant-api03-" + "x" * 20),
    ),
    token(
        "openrouter-key",
        "sk-or-",
        r"(?:v1-)?[A-Za-z0-9]{32,80}",
        check=random_looking,
        look_alikes=("sk-or-v1-" + "x" * 64,),
    ),
    token(
        "openai-key",
        ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"),
        r"[A-Za-z0-9_-]{20,300}",
        bounded=False,
        check=random_looking,
        end="",
        look_alikes=("sk-proj-" + "x" * 48,),
    ),
    token(
        "langfuse-key",
        ("sk-lf-", "pk-lf-"),
        r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        look_alikes=("sk-lf-key",),
    ),
    token(
        "model-key",
        ("sk-", "sk_"),
        r"(?:[a-z]{2,12}[-_])?[A-Za-z0-9]{20,200}",
        check=_hard,
        look_alikes=("sk-fading-circle-animation-0123", "sk-" + "x" * 48, "sk_buff_head"),
    ),
    token("groq-key", "gsk_", r"[A-Za-z0-9]{40,64}", check=random_looking, look_alikes=("gsk_" + "x" * 52,)),
    token("xai-key", "xai-", r"[A-Za-z0-9]{40,100}", check=random_looking, look_alikes=("xai-" + "x" * 80,)),
    token(
        "perplexity-key",
        "pplx-",
        r"[A-Za-z0-9]{32,64}",
        check=random_looking,
        look_alikes=("pplx-" + "x" * 48, "pplx-70b-online"),
    ),
    token(
        "huggingface-token",
        ("hf_", "api_org_"),
        r"[A-Za-z0-9]{30,40}",
        check=_letters,
        look_alikes=("hf_" + "x" * 34, "hf_hub_download_retries_and_limits"),
    ),
    token(
        "replicate-token", "r8_", r"[A-Za-z0-9]{37,40}", check=random_looking, look_alikes=("r8_" + "x" * 37,)
    ),
    token(
        "fireworks-key",
        ("fw_", "fpk_"),
        r"[A-Za-z0-9]{20,40}",
        check=_hard,
        look_alikes=("fw_printenv_configuration",),
    ),
    token(
        "together-key",
        "tgp_v1_",
        r"[A-Za-z0-9_-]{40,64}",
        check=random_looking,
        look_alikes=("tgp_v1_" + "x" * 43,),
    ),
    token(
        "nvidia-key",
        "nvapi-",
        r"[A-Za-z0-9_-]{60,70}",
        check=random_looking,
        look_alikes=("nvapi-" + "x" * 64,),
    ),
    token(
        "cerebras-key", "csk-", r"[A-Za-z0-9]{40,64}", check=random_looking, look_alikes=("csk-" + "x" * 48,)
    ),
    token(
        "voyage-key",
        "pa-",
        r"[A-Za-z0-9_-]{43}",
        check=_hard,
        end=r"(?![A-Za-z0-9_-])",
        look_alikes=("pa-" + "x" * 43,),
    ),
    token(
        "jina-key",
        "jina_",
        r"[A-Za-z0-9_-]{40,70}",
        check=_hard,
        look_alikes=("jina_embeddings_v3_text_matching_for_documents",),
    ),
    token(
        "tavily-key",
        "tvly-",
        r"(?:dev-|prod-)?[A-Za-z0-9]{20,40}",
        check=random_looking,
        look_alikes=("tvly-YOUR_API_KEY",),
    ),
    token("firecrawl-key", "fc-", r"[a-f0-9]{32}", check=random_looking, look_alikes=("fc-" + "0" * 32,)),
    token(
        "langsmith-key",
        ("lsv2_pt_", "lsv2_sk_", "ls__"),
        r"[a-f0-9]{32}(?:_[a-f0-9]{10})?",
        check=random_looking,
        look_alikes=("lsv2_pt_name",),
    ),
    token(
        "pinecone-key",
        "pcsk_",
        r"[A-Za-z0-9_]{40,90}",
        check=random_looking,
        look_alikes=("pcsk_" + "x" * 60,),
    ),
    token(
        "wandb-key", "wandb_v1_", r"[A-Za-z0-9_]{40,100}", check=random_looking, look_alikes=("wandb_v1_run",)
    ),
    token(
        "anyscale-key", "esecret_", r"[A-Za-z0-9]{20,60}", check=random_looking, look_alikes=("esecret_name",)
    ),
    token("sandbox-key", "e2b_", r"[a-f0-9]{40}", check=random_looking, look_alikes=("e2b_" + "0" * 40,)),
)
