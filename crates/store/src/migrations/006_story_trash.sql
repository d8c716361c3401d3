-- Layout 6. A story can be thrown away as a whole: when that was, in milliseconds since 1970.
ALTER TABLE story ADD COLUMN trashed BIGINT;
