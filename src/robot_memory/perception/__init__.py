"""From the media of a clip to what was seen and heard in it: faces, tracks, turns of speech, voices, keyframes."""
