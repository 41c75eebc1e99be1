"""Perception from RGB alone: predicted segmentation and depth, tracking, triangulation."""
