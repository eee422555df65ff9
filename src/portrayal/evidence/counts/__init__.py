"""Kinds of evidence that count images one by one."""
