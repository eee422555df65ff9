"""What is asked: prompts, the attributes looked for in their images, references, and the jobs that ask for images."""
