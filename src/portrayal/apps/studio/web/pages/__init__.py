"""The pages, by what somebody wants to do."""
