"""Pictures on a GPU: JPEG files decoded there, PNG rows unpacked there, all of them shrunk there."""
