-- Settings that belong to a scope are keyed by it: `name@scope`, and the plain name for the scope `default`.
-- Up to here all scopes shared one value, except the position up to which answers were counted.
INSERT OR IGNORE INTO system_config (key, value)
    SELECT shared.key || '@' || scopes.scope, shared.value
    FROM system_config AS shared, (SELECT DISTINCT scope FROM blocks WHERE scope <> 'default') AS scopes
    WHERE shared.key IN ('last_curate_at', 'last_consolidated_at', 'consolidation_policy_threshold',
        'blocks_over_degree_cap');
INSERT OR IGNORE INTO system_config (key, value)
    SELECT iif(scope = 'default', name, name || '@' || scope), value FROM (
        SELECT 'answers_counted_up_to' AS name, substr(key, length('answers_counted_up_to:') + 1) AS scope, value
        FROM system_config WHERE key GLOB 'answers_counted_up_to:*'
    );
DELETE FROM system_config WHERE key GLOB 'answers_counted_up_to:*';
-- Which scope's dream failed is not on record; the next one that fails says so again.
DELETE FROM system_config WHERE key = 'last_dream_failure';
