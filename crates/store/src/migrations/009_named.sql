-- `named` rises when a row of `story` or `ref` is written. Most transactions write none, so what was read of
-- them is remembered. A ref that only moved is written when rows are spread, which `spread` tells.
ALTER TABLE generation ADD COLUMN named BIGINT NOT NULL DEFAULT 0;
