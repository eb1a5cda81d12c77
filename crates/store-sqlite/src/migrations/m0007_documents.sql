-- The places of a block in named documents, and why consolidation archived it for another block; both as JSON.
ALTER TABLE blocks ADD COLUMN parts_json TEXT;
ALTER TABLE blocks ADD COLUMN replacement_json TEXT;
-- Blocks so far know the document that brought them. Their order in it is the order in which they were stored.
UPDATE blocks SET parts_json = json_array(json_object('document', document_name, 'source', source, 'position', place))
FROM (
    SELECT id AS part, row_number() OVER (PARTITION BY scope, source, document_name ORDER BY position) - 1 AS place
    FROM blocks WHERE document_name IS NOT NULL
) WHERE part = id;
CREATE INDEX idx_blocks_parts ON blocks (scope) WHERE parts_json IS NOT NULL;
CREATE INDEX idx_blocks_replacement ON blocks (scope) WHERE replacement_json IS NOT NULL;
