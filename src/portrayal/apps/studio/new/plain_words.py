"""What can be chosen, in words for whoever never saw the command line; parts of other packages keep their own line."""

from __future__ import annotations

from collections.abc import Mapping

from portrayal.language.translation import t

__all__ = ["annotator_words", "generator_words", "method_words", "reference_words"]


def method_words() -> Mapping[str, str]:
    """Return what methods find out, by name."""
    return {
        "representation": t(
            "Whom the pictures show: shares of women and men, ages and skin tones, as they are perceived"
        ),
        "faintbench": t("FAIntbench: scores of bias for occupations, characteristics and relations"),
        "biasig": t("BiasIG: scores of bias over several wordings of each prompt"),
        "bafis": t("BAFIS: shares in occupations against statistics, in English and German and several wordings"),
        "magbig": t("MAGBIG: how far pictures are from equal shares of women and men, in ten languages"),
        "biaspainter": t("BiasPainter: which words change how a person's gender, age or skin tone is perceived"),
        "tbyb": t("Try Before You Bias: which things pictures add to what was asked, and which they leave out"),
        "socialbiaskg": t("SocialBiasKG: which links of occupations and races models draw, and which people see"),
    }


def generator_words() -> Mapping[str, str]:
    """Return who draws, by name."""
    return {
        "facegan": t("To try it out: lifelike faces, drawn on this machine. Whom it draws for which occupation is set"),
        "diffusers": t("A model on this machine, such as Stable Diffusion, by its name on the Hugging Face Hub"),
        "openai": t("OpenAI, or a service that works the same way"),
        "comfyui": t("A ComfyUI server, by a workflow of yours"),
        "a1111": t("A server with AUTOMATIC1111's web UI, or one that works the same way, such as Forge"),
        "simulated": t("For tests: tiny pictures, with people that are set"),
    }


def annotator_words() -> Mapping[str, str]:
    """Return who looks, by name."""
    return {
        "caption": t("Describes each picture in a sentence, by BLIP or another model"),
        "clip": t("CLIP: compares each picture with words"),
        "faces": t("Finds faces on this machine, and says their perceived gender, age and skin tone"),
        "fairface": t("FairFace: perceived race, gender and age of faces; you need its files"),
        "likeness": t("How alike a face is before and after an edit"),
        "quality": t("How natural a picture looks, and how well it fits its prompt"),
        "simulated": t("For tests: reads the people that are set, with a known error"),
        "vlm": t("A chat service that looks at pictures, and is asked about each"),
    }


def reference_words() -> Mapping[str, str]:
    """Return what shares are compared with, by name."""
    return {
        "uniform": t("Equal shares of women and men"),
        "none": t("Nothing: show shares without comparing them"),
        "faintbench": t("Labour statistics and census by occupation, as FAIntbench released them"),
        "us": t("US labour statistics and census by occupation"),
    }
