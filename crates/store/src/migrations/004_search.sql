-- Layout 4. Searching all texts, for those who want to pay for it: 0 off, 1 on, 2 being built.
-- It stands here because this row is read at the start of every transaction anyway. The index itself
-- is made when searching is switched on and dropped when it is switched off (`full_text.rs`).
ALTER TABLE generation ADD COLUMN search BIGINT NOT NULL DEFAULT 0;
