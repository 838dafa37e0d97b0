CREATE OR REPLACE VIEW function_metrics AS
SELECT t.experiment_id, f.report_id AS function_id, f.name, f.linkage_name, o.path AS object,
	m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples,
	t.inclusive_weight * m.amount_per_weight AS inclusive, t.inclusive_samples,
	100 * t.exclusive_weight::float8 / nullif(m.total_weight, 0) AS exclusive_percent,
	100 * t.inclusive_weight::float8 / nullif(m.total_weight, 0) AS inclusive_percent
FROM function_totals t JOIN metrics m ON m.experiment_id = t.experiment_id AND m.id = t.metric_id
	JOIN functions f ON f.id = t.function_id JOIN objects o ON o.id = f.object_id;
CREATE OR REPLACE VIEW object_metrics AS
SELECT t.experiment_id, o.path AS object, o.kind, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples,
	t.inclusive_weight * m.amount_per_weight AS inclusive, t.inclusive_samples,
	100 * t.exclusive_weight::float8 / nullif(m.total_weight, 0) AS exclusive_percent,
	100 * t.inclusive_weight::float8 / nullif(m.total_weight, 0) AS inclusive_percent
FROM object_totals t JOIN metrics m ON m.experiment_id = t.experiment_id AND m.id = t.metric_id
	JOIN objects o ON o.id = t.object_id;
CREATE OR REPLACE VIEW line_metrics AS
SELECT t.experiment_id, f.report_id AS function_id, f.name AS function, i.path AS file, l.line,
	o.path AS object, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples,
	t.inclusive_weight * m.amount_per_weight AS inclusive, t.inclusive_samples,
	100 * t.exclusive_weight::float8 / nullif(m.total_weight, 0) AS exclusive_percent,
	100 * t.inclusive_weight::float8 / nullif(m.total_weight, 0) AS inclusive_percent
FROM line_totals t JOIN metrics m ON m.experiment_id = t.experiment_id AND m.id = t.metric_id
	JOIN lines l ON l.id = t.line_id JOIN files i ON i.id = l.file_id
	JOIN functions f ON f.id = l.function_id JOIN objects o ON o.id = f.object_id;
CREATE OR REPLACE VIEW call_metrics AS
SELECT t.experiment_id, f.report_id AS function_id, f.name AS function,
	t.relation::text AS relation,
	g.report_id AS other_function_id, coalesce(g.name, '<Total>') AS other,
	m.name AS metric, m.unit,
	t.attributed_weight * m.amount_per_weight AS attributed, t.attributed_samples
FROM call_totals t JOIN metrics m ON m.experiment_id = t.experiment_id AND m.id = t.metric_id
	JOIN functions f ON f.id = t.function_id LEFT JOIN functions g ON g.id = t.other_id
UNION ALL
SELECT t.experiment_id, f.report_id, f.name, 'self', f.report_id, f.name, m.name, m.unit,
	t.exclusive_weight * m.amount_per_weight, t.exclusive_samples
FROM function_totals t JOIN metrics m ON m.experiment_id = t.experiment_id AND m.id = t.metric_id
	JOIN functions f ON f.id = t.function_id;
CREATE OR REPLACE VIEW thread_metrics AS
SELECT t.experiment_id, h.number AS thrid, p.pid AS process, h.tid AS thread, h.name,
	p.name AS process_name, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples
FROM thread_totals t JOIN metrics m ON m.experiment_id = t.experiment_id AND m.id = t.metric_id
	JOIN threads h ON h.experiment_id = t.experiment_id AND h.id = t.thread_id
	JOIN processes p ON p.experiment_id = h.experiment_id AND p.id = h.process_id;
CREATE OR REPLACE VIEW second_metrics AS
SELECT t.experiment_id, t.second, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples
FROM second_totals t JOIN metrics m ON m.experiment_id = t.experiment_id AND m.id = t.metric_id;
CREATE OR REPLACE VIEW region_metrics AS
SELECT t.experiment_id, b.branch, b.name, b.domain, b.depth, b.apart, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples,
	t.inclusive_weight * m.amount_per_weight AS inclusive, t.inclusive_samples,
	100 * t.exclusive_weight::float8 / nullif(m.total_weight, 0) AS exclusive_percent,
	100 * t.inclusive_weight::float8 / nullif(m.total_weight, 0) AS inclusive_percent
FROM branch_totals t JOIN metrics m ON m.experiment_id = t.experiment_id AND m.id = t.metric_id
	JOIN branches b ON b.experiment_id = t.experiment_id AND b.id = t.branch_id;
CREATE OR REPLACE VIEW region_times AS
SELECT r.experiment_id, b.branch, b.name, b.domain, b.depth, b.apart, count(*) AS instances,
	count(*) - count(r.duration_ns) AS unended, sum(r.duration_ns) AS total_ns,
	avg(r.duration_ns) AS mean_ns, min(r.duration_ns) AS shortest_ns,
	max(r.duration_ns) AS longest_ns
FROM regions r JOIN branches b ON b.experiment_id = r.experiment_id AND b.id = r.branch_id
GROUP BY r.experiment_id, b.id, b.branch, b.name, b.domain, b.depth, b.apart;
CREATE OR REPLACE VIEW sample_rows AS
SELECT s.experiment_id, s.id, ringprof_utc(s.utc_ns) AS utc, s.utc_ns, e.metric_id,
	e.id AS event_id, e.state, c.thread_id, c.cpu, s.weight, s.node_id, n.frame_id,
	n.line_id, d.address, d.latency, d.source, c.branch_id
FROM samples s
	JOIN contexts c ON c.experiment_id = s.experiment_id AND c.id = s.context_id
	JOIN events e ON e.experiment_id = s.experiment_id AND e.id = c.event_id
	JOIN nodes n ON n.id = s.node_id
	LEFT JOIN sample_data d ON d.experiment_id = s.experiment_id AND d.sample_id = s.id;
