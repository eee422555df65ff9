"""BiasPainter (Wang et al. 2024): edit a face with a neutral word, and see whether gender, age or skin tone moved."""
