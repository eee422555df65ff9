"""Images drawn by a ComfyUI server, by a workflow of the user's with a prompt and a seed filled in."""

from portrayal.generators.comfyui.generator import Comfyui, ComfyuiOptions

__all__ = ["Comfyui", "ComfyuiOptions"]
