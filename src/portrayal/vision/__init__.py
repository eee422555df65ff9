"""From image files to what a model says about them, fast.

This room needs nothing but torch, transformers, numpy and Pillow, and torchvision where there is a GPU, so
that it can be measured on machines where nothing can be installed.
"""
