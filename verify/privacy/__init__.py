"""Privacy of finite policies under each definition, exactly, and audits."""
