//! What a plain scalar means: the YAML 1.1 resolution of null, booleans, integers and floats.
