-- SPDX-License-Identifier: Apache-2.0
-- The database of `er_print -export sqlite`; SCHEMA.md explains every column.
CREATE TABLE experiments (
	id INTEGER PRIMARY KEY,
	identity TEXT NOT NULL UNIQUE,
	path TEXT NOT NULL,
	host TEXT NOT NULL,
	kernel TEXT NOT NULL,
	arch TEXT NOT NULL,
	cpu TEXT NOT NULL,
	cpus INTEGER NOT NULL,
	started TEXT NOT NULL,
	started_s INTEGER,
	duration_ns INTEGER NOT NULL,
	command TEXT NOT NULL,
	comment TEXT NOT NULL,
	collector TEXT NOT NULL,
	complete INTEGER NOT NULL,
	exit_status INTEGER,
	signal INTEGER,
	inlines INTEGER NOT NULL,
	lost INTEGER NOT NULL,
	lost_other INTEGER NOT NULL,
	lost_records INTEGER NOT NULL,
	throttled INTEGER NOT NULL,
	first_node INTEGER NOT NULL,
	last_node INTEGER NOT NULL,
	first_sample INTEGER NOT NULL,
	last_sample INTEGER NOT NULL
);
CREATE TABLE labels (
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	key TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (experiment_id, key)
) WITHOUT ROWID;
CREATE TABLE metrics (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	name TEXT NOT NULL,
	label TEXT NOT NULL,
	unit TEXT NOT NULL,
	amount_per_weight REAL NOT NULL,
	exact INTEGER NOT NULL,
	total_weight INTEGER NOT NULL,
	total_samples INTEGER NOT NULL
);
CREATE INDEX metrics_of ON metrics (experiment_id);
CREATE TABLE events (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	metric_id INTEGER NOT NULL REFERENCES metrics,
	asked TEXT NOT NULL,
	got TEXT NOT NULL,
	reason TEXT NOT NULL,
	state TEXT,
	unit TEXT NOT NULL,
	period INTEGER,
	hz REAL,
	scale REAL NOT NULL
);
CREATE TABLE processes (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	parent_id INTEGER REFERENCES processes,
	pid INTEGER NOT NULL,
	name TEXT NOT NULL,
	command TEXT,
	start_ns INTEGER NOT NULL
);
CREATE TABLE threads (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	process_id INTEGER NOT NULL REFERENCES processes,
	last_id INTEGER NOT NULL REFERENCES threads,
	tid INTEGER NOT NULL,
	number INTEGER NOT NULL,
	name TEXT NOT NULL,
	born_ns INTEGER NOT NULL,
	cgroup TEXT
);
CREATE TABLE branches (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	parent_id INTEGER REFERENCES branches,
	branch TEXT NOT NULL,
	name TEXT NOT NULL,
	domain TEXT,
	depth INTEGER NOT NULL,
	apart INTEGER NOT NULL
);
CREATE TABLE regions (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	branch_id INTEGER NOT NULL REFERENCES branches,
	thread_id INTEGER NOT NULL REFERENCES threads,
	begin_ns INTEGER NOT NULL,
	end_ns INTEGER,
	duration_ns INTEGER
);
CREATE TABLE marks (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	thread_id INTEGER NOT NULL REFERENCES threads,
	time_ns INTEGER NOT NULL,
	kind TEXT NOT NULL,
	domain TEXT,
	name TEXT NOT NULL,
	value TEXT
);
CREATE TABLE objects (
	id INTEGER PRIMARY KEY,
	path TEXT NOT NULL,
	kind TEXT NOT NULL,
	UNIQUE (path, kind)
);
CREATE TABLE functions (
	id INTEGER PRIMARY KEY,
	object_id INTEGER NOT NULL REFERENCES objects,
	name TEXT NOT NULL,
	linkage_name TEXT NOT NULL,
	tell TEXT NOT NULL,
	build_id TEXT NOT NULL,
	function_id TEXT NOT NULL,
	UNIQUE (object_id, linkage_name, tell, build_id)
);
CREATE TABLE files (
	id INTEGER PRIMARY KEY,
	path TEXT NOT NULL UNIQUE
);
CREATE TABLE lines (
	id INTEGER PRIMARY KEY,
	function_id INTEGER NOT NULL REFERENCES functions,
	file_id INTEGER NOT NULL REFERENCES files,
	line INTEGER NOT NULL,
	UNIQUE (function_id, file_id, line)
);
CREATE TABLE modules (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	object_id INTEGER NOT NULL REFERENCES objects,
	build_id TEXT
);
CREATE TABLE frames (
	id INTEGER PRIMARY KEY,
	module_id INTEGER NOT NULL REFERENCES modules,
	address INTEGER NOT NULL,
	is_return INTEGER NOT NULL
);
CREATE TABLE frame_lines (
	frame_id INTEGER NOT NULL REFERENCES frames,
	level INTEGER NOT NULL,
	line_id INTEGER NOT NULL REFERENCES lines,
	PRIMARY KEY (frame_id, level)
) WITHOUT ROWID;
CREATE TABLE nodes (
	id INTEGER PRIMARY KEY,
	parent_id INTEGER REFERENCES nodes,
	last_id INTEGER NOT NULL,
	frame_id INTEGER REFERENCES frames,
	line_id INTEGER NOT NULL REFERENCES lines,
	first_function INTEGER NOT NULL,
	first_object INTEGER NOT NULL,
	first_line INTEGER NOT NULL
);
CREATE TABLE contexts (
	id INTEGER PRIMARY KEY,
	event_id INTEGER NOT NULL REFERENCES events,
	thread_id INTEGER NOT NULL REFERENCES threads,
	cpu INTEGER,
	branch_id INTEGER REFERENCES branches
);
CREATE TABLE samples (
	id INTEGER PRIMARY KEY,
	context_id INTEGER NOT NULL REFERENCES contexts,
	time_ns INTEGER NOT NULL,
	weight INTEGER NOT NULL,
	node_id INTEGER NOT NULL REFERENCES nodes
);
CREATE TABLE sample_data (
	sample_id INTEGER PRIMARY KEY REFERENCES samples,
	address INTEGER,
	latency INTEGER,
	source TEXT
);
CREATE TABLE losses (
	id INTEGER PRIMARY KEY,
	experiment_id INTEGER NOT NULL REFERENCES experiments,
	thread_id INTEGER REFERENCES threads,
	time_ns INTEGER NOT NULL,
	cpu INTEGER NOT NULL,
	records INTEGER NOT NULL
);
CREATE TABLE function_totals (
	metric_id INTEGER NOT NULL REFERENCES metrics,
	function_id INTEGER NOT NULL REFERENCES functions,
	exclusive_weight INTEGER NOT NULL,
	exclusive_samples INTEGER NOT NULL,
	inclusive_weight INTEGER NOT NULL,
	inclusive_samples INTEGER NOT NULL,
	PRIMARY KEY (metric_id, function_id)
) WITHOUT ROWID;
CREATE TABLE object_totals (
	metric_id INTEGER NOT NULL REFERENCES metrics,
	object_id INTEGER NOT NULL REFERENCES objects,
	exclusive_weight INTEGER NOT NULL,
	exclusive_samples INTEGER NOT NULL,
	inclusive_weight INTEGER NOT NULL,
	inclusive_samples INTEGER NOT NULL,
	PRIMARY KEY (metric_id, object_id)
) WITHOUT ROWID;
CREATE TABLE line_totals (
	metric_id INTEGER NOT NULL REFERENCES metrics,
	line_id INTEGER NOT NULL REFERENCES lines,
	exclusive_weight INTEGER NOT NULL,
	exclusive_samples INTEGER NOT NULL,
	inclusive_weight INTEGER NOT NULL,
	inclusive_samples INTEGER NOT NULL,
	PRIMARY KEY (metric_id, line_id)
) WITHOUT ROWID;
CREATE TABLE call_totals (
	id INTEGER PRIMARY KEY,
	metric_id INTEGER NOT NULL REFERENCES metrics,
	function_id INTEGER NOT NULL REFERENCES functions,
	relation TEXT NOT NULL,
	other_id INTEGER REFERENCES functions,
	attributed_weight INTEGER NOT NULL,
	attributed_samples INTEGER NOT NULL
);
CREATE TABLE node_totals (
	metric_id INTEGER NOT NULL REFERENCES metrics,
	node_id INTEGER NOT NULL REFERENCES nodes,
	exclusive_weight INTEGER NOT NULL,
	exclusive_samples INTEGER NOT NULL,
	PRIMARY KEY (metric_id, node_id)
) WITHOUT ROWID;
CREATE TABLE thread_totals (
	metric_id INTEGER NOT NULL REFERENCES metrics,
	thread_id INTEGER NOT NULL REFERENCES threads,
	exclusive_weight INTEGER NOT NULL,
	exclusive_samples INTEGER NOT NULL,
	PRIMARY KEY (metric_id, thread_id)
) WITHOUT ROWID;
CREATE TABLE second_totals (
	metric_id INTEGER NOT NULL REFERENCES metrics,
	second INTEGER NOT NULL,
	exclusive_weight INTEGER NOT NULL,
	exclusive_samples INTEGER NOT NULL,
	PRIMARY KEY (metric_id, second)
) WITHOUT ROWID;
CREATE TABLE branch_totals (
	metric_id INTEGER NOT NULL REFERENCES metrics,
	branch_id INTEGER NOT NULL REFERENCES branches,
	exclusive_weight INTEGER NOT NULL,
	exclusive_samples INTEGER NOT NULL,
	inclusive_weight INTEGER NOT NULL,
	inclusive_samples INTEGER NOT NULL,
	PRIMARY KEY (metric_id, branch_id)
) WITHOUT ROWID;

CREATE VIEW function_metrics AS
SELECT m.experiment_id, f.function_id, f.name, f.linkage_name, o.path AS object,
	m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples,
	t.inclusive_weight * m.amount_per_weight AS inclusive, t.inclusive_samples,
	100.0 * t.exclusive_weight / m.total_weight AS exclusive_percent,
	100.0 * t.inclusive_weight / m.total_weight AS inclusive_percent
FROM function_totals t JOIN metrics m ON m.id = t.metric_id
	JOIN functions f ON f.id = t.function_id JOIN objects o ON o.id = f.object_id;
CREATE VIEW object_metrics AS
SELECT m.experiment_id, o.path AS object, o.kind, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples,
	t.inclusive_weight * m.amount_per_weight AS inclusive, t.inclusive_samples,
	100.0 * t.exclusive_weight / m.total_weight AS exclusive_percent,
	100.0 * t.inclusive_weight / m.total_weight AS inclusive_percent
FROM object_totals t JOIN metrics m ON m.id = t.metric_id
	JOIN objects o ON o.id = t.object_id;
CREATE VIEW line_metrics AS
SELECT m.experiment_id, f.function_id, f.name AS function, i.path AS file, l.line,
	o.path AS object, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples,
	t.inclusive_weight * m.amount_per_weight AS inclusive, t.inclusive_samples,
	100.0 * t.exclusive_weight / m.total_weight AS exclusive_percent,
	100.0 * t.inclusive_weight / m.total_weight AS inclusive_percent
FROM line_totals t JOIN metrics m ON m.id = t.metric_id JOIN lines l ON l.id = t.line_id
	JOIN files i ON i.id = l.file_id JOIN functions f ON f.id = l.function_id
	JOIN objects o ON o.id = f.object_id;
CREATE VIEW call_metrics AS
SELECT m.experiment_id, f.function_id, f.name AS function, c.relation,
	g.function_id AS other_function_id, coalesce(g.name, '<Total>') AS other,
	m.name AS metric, m.unit,
	c.attributed_weight * m.amount_per_weight AS attributed, c.attributed_samples
FROM call_totals c JOIN metrics m ON m.id = c.metric_id
	JOIN functions f ON f.id = c.function_id LEFT JOIN functions g ON g.id = c.other_id
UNION ALL
SELECT m.experiment_id, f.function_id, f.name, 'self', f.function_id, f.name,
	m.name, m.unit, t.exclusive_weight * m.amount_per_weight, t.exclusive_samples
FROM function_totals t JOIN metrics m ON m.id = t.metric_id
	JOIN functions f ON f.id = t.function_id;
CREATE VIEW thread_metrics AS
SELECT m.experiment_id, h.number AS thrid, p.pid AS process, h.tid AS thread, h.name,
	p.name AS process_name, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples
FROM thread_totals t JOIN metrics m ON m.id = t.metric_id
	JOIN threads h ON h.id = t.thread_id JOIN processes p ON p.id = h.process_id;
CREATE VIEW second_metrics AS
SELECT m.experiment_id, t.second, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples
FROM second_totals t JOIN metrics m ON m.id = t.metric_id;
CREATE VIEW region_metrics AS
SELECT m.experiment_id, b.branch, b.name, b.domain, b.depth, b.apart, m.name AS metric, m.unit,
	t.exclusive_weight * m.amount_per_weight AS exclusive, t.exclusive_samples,
	t.inclusive_weight * m.amount_per_weight AS inclusive, t.inclusive_samples,
	100.0 * t.exclusive_weight / m.total_weight AS exclusive_percent,
	100.0 * t.inclusive_weight / m.total_weight AS inclusive_percent
FROM branch_totals t JOIN metrics m ON m.id = t.metric_id
	JOIN branches b ON b.id = t.branch_id;
CREATE VIEW region_times AS
SELECT b.experiment_id, b.branch, b.name, b.domain, b.depth, b.apart, count(*) AS instances,
	count(*) - count(r.duration_ns) AS unended, sum(r.duration_ns) AS total_ns,
	avg(r.duration_ns) AS mean_ns, min(r.duration_ns) AS shortest_ns,
	max(r.duration_ns) AS longest_ns
FROM regions r JOIN branches b ON b.id = r.branch_id GROUP BY b.id;
CREATE VIEW sample_rows AS
SELECT s.id, e.experiment_id, s.time_ns, e.metric_id, e.id AS event_id, e.state,
	c.thread_id, c.cpu, s.weight, s.node_id, n.frame_id, n.line_id,
	d.address, d.latency, d.source, c.branch_id
FROM samples s JOIN contexts c ON c.id = s.context_id JOIN events e ON e.id = c.event_id
	JOIN nodes n ON n.id = s.node_id LEFT JOIN sample_data d ON d.sample_id = s.id;
