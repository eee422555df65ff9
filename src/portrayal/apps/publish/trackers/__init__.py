"""Studies among a team's experiments: a run of Weights & Biases or MLflow for each model, by their own libraries."""
