-- Functions that had to be killed on a page again and again: from then on an input of that page.
CREATE TABLE stuck (
    owner    BLOB NOT NULL,
    page     BLOB NOT NULL,
    function BLOB NOT NULL,
    PRIMARY KEY (owner, page, function)
) WITHOUT ROWID;
