"""The corridor that joins the rooms: config, workspace, stages."""
