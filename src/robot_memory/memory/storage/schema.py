"""The tables, as numbered forward steps: a new file takes them all, an older one those it lacks. A newer file is
refused, never guessed at. A step that has been released is never changed.

Times are int64 nanoseconds on the source's clock, except dialogue.asked_ns and, where a person made the change,
journal.at_ns, which are the node's.
Embeddings are float16 blobs, unit norm, with the model's name beside them.
"""

APPLICATION_ID = 0x524D454D  # "RMEM"

FIRST = """
CREATE TABLE meta(generation INTEGER NOT NULL);
INSERT INTO meta VALUES (0);

CREATE TABLE sessions(
    id TEXT PRIMARY KEY, bag_uri TEXT NOT NULL, bag_fingerprint TEXT NOT NULL, utc_offset_s INTEGER NOT NULL,
    zone TEXT NOT NULL, boot_id TEXT NOT NULL, clock TEXT NOT NULL, origin_ns INTEGER,
    finished INTEGER NOT NULL DEFAULT 0);

CREATE TABLE clips(
    id INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL REFERENCES sessions(id), sequence INTEGER NOT NULL,
    start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, frames INTEGER NOT NULL, audio_s REAL NOT NULL,
    skipped TEXT NOT NULL DEFAULT '', UNIQUE(session, sequence));

CREATE TABLE persons(
    id INTEGER PRIMARY KEY AUTOINCREMENT, merged_into INTEGER REFERENCES persons(id));

CREATE TABLE entities(
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL CHECK(kind IN ('face', 'voice')),
    person INTEGER NOT NULL REFERENCES persons(id), clip INTEGER NOT NULL REFERENCES clips(id),
    crop BLOB, crop_quality REAL NOT NULL DEFAULT 0);
CREATE INDEX entities_person ON entities(person);

CREATE TABLE embeddings(
    id INTEGER PRIMARY KEY, entity INTEGER NOT NULL REFERENCES entities(id), clip INTEGER NOT NULL REFERENCES clips(id),
    model TEXT NOT NULL, vector BLOB NOT NULL);
CREATE INDEX embeddings_entity ON embeddings(entity);

CREATE TABLE names(
    id INTEGER PRIMARY KEY, entity INTEGER NOT NULL REFERENCES entities(id), name TEXT NOT NULL,
    source TEXT NOT NULL, clip INTEGER NOT NULL REFERENCES clips(id));
CREATE INDEX names_entity ON names(entity);

CREATE TABLE sightings(
    id INTEGER PRIMARY KEY, clip INTEGER NOT NULL REFERENCES clips(id), entity INTEGER NOT NULL REFERENCES entities(id),
    start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL);
CREATE INDEX sightings_entity ON sightings(entity, start_ns);

CREATE TABLE turns(
    id INTEGER PRIMARY KEY, clip INTEGER NOT NULL REFERENCES clips(id), entity INTEGER REFERENCES entities(id),
    start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, text TEXT NOT NULL, confidence REAL NOT NULL);
CREATE INDEX turns_entity ON turns(entity, start_ns);

CREATE TABLE memories(
    id INTEGER PRIMARY KEY AUTOINCREMENT, clip INTEGER NOT NULL REFERENCES clips(id),
    kind TEXT NOT NULL CHECK(kind IN ('episodic', 'semantic')), text TEXT NOT NULL,
    start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, source TEXT NOT NULL, count INTEGER NOT NULL DEFAULT 1,
    turn INTEGER REFERENCES turns(id), subject TEXT, attribute TEXT, value TEXT, polarity INTEGER,
    valid_from_ns INTEGER, valid_until_ns INTEGER, saliency REAL NOT NULL DEFAULT 0.5, pose TEXT,
    archived INTEGER NOT NULL DEFAULT 0, model TEXT NOT NULL, embedding BLOB NOT NULL);
CREATE INDEX memories_clip ON memories(clip);
CREATE INDEX memories_frame ON memories(subject, attribute) WHERE subject IS NOT NULL;
CREATE INDEX memories_start ON memories(start_ns);

CREATE VIRTUAL TABLE memories_fts USING fts5(text, content='memories', content_rowid='id', tokenize='porter unicode61');
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts(rowid, text) VALUES (new.id, new.text); END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, text) VALUES ('delete', old.id, old.text); END;
CREATE TRIGGER memories_reworded AFTER UPDATE OF text ON memories BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO memories_fts(rowid, text) VALUES (new.id, new.text); END;

CREATE TABLE edges(
    memory INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE, entity INTEGER NOT NULL REFERENCES entities(id),
    weight REAL NOT NULL, PRIMARY KEY(memory, entity)) WITHOUT ROWID;
CREATE INDEX edges_entity ON edges(entity);

CREATE TABLE votes(
    id INTEGER PRIMARY KEY,
    voice INTEGER NOT NULL REFERENCES entities(id), face INTEGER NOT NULL REFERENCES entities(id),
    clip INTEGER NOT NULL REFERENCES clips(id), at_ns INTEGER NOT NULL, conversation INTEGER NOT NULL,
    value INTEGER NOT NULL CHECK(value IN (-1, 1)));
CREATE INDEX votes_voice ON votes(voice);

CREATE TABLE snapshots(
    id INTEGER PRIMARY KEY, clip INTEGER NOT NULL REFERENCES clips(id), stamp_ns INTEGER NOT NULL,
    pose TEXT, jpeg BLOB NOT NULL);
CREATE INDEX snapshots_clip ON snapshots(clip, stamp_ns);

CREATE TABLE journal(
    id INTEGER PRIMARY KEY AUTOINCREMENT, at_ns INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
    clip INTEGER, detail TEXT NOT NULL);

CREATE TABLE dialogue(
    id INTEGER PRIMARY KEY, question_id TEXT NOT NULL, asked_ns INTEGER NOT NULL, asker TEXT NOT NULL,
    question TEXT NOT NULL,
    outcome TEXT NOT NULL, answer TEXT NOT NULL, confidence REAL NOT NULL, evidence TEXT NOT NULL);
"""

# votes: one row for each known face in view while a turn was spoken, with its share of that turn's one vote; face NULL:
# none was; introduces: the speaker said who they are. talks (of a voice in a conversation; face 0: all of it), tallies,
# heard: what the votes come to, so that a vote costs the same after years. apart: cannot be one human (seen in one
# picture, heard as two speakers). alike: look or sound the same. decisions: an operator's word that two entities are,
# or are not, one human. supports: every observation of a memory that was observed more than once, the first included;
# text only where it was worded otherwise. relations: `memory` supersedes, contradicts or resembles `other`. evicted:
# what budgets have taken. memories.norm, .matter: the frame's value as compared, and what it has one value at a time
# of, made by version meta.normaliser of the rules.
PEOPLE_AND_CLAIMS = """
CREATE TABLE embedders(name TEXT PRIMARY KEY, role TEXT NOT NULL, dimension INTEGER NOT NULL, checksum TEXT NOT NULL);

ALTER TABLE journal ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE journal ADD COLUMN undone_by INTEGER REFERENCES journal(id);
CREATE TABLE journal_subjects(
    token TEXT NOT NULL, change INTEGER NOT NULL REFERENCES journal(id), PRIMARY KEY(token, change)) WITHOUT ROWID;
CREATE INDEX journal_subjects_change ON journal_subjects(change);

ALTER TABLE names RENAME TO names_1;
CREATE TABLE names(
    id INTEGER PRIMARY KEY, entity INTEGER NOT NULL REFERENCES entities(id), name TEXT NOT NULL,
    source TEXT NOT NULL, at_ns INTEGER NOT NULL, clip INTEGER REFERENCES clips(id), turn INTEGER REFERENCES turns(id),
    change INTEGER REFERENCES journal(id));
INSERT INTO names(id, entity, name, source, at_ns, clip)
    SELECT names_1.id, entity, name, source, start_ns, clip FROM names_1 JOIN clips ON clips.id = clip;
DROP TABLE names_1;
CREATE INDEX names_entity ON names(entity);

ALTER TABLE votes RENAME TO votes_1;
CREATE TABLE votes(
    id INTEGER PRIMARY KEY,
    voice INTEGER NOT NULL REFERENCES entities(id), face INTEGER REFERENCES entities(id),
    clip INTEGER NOT NULL REFERENCES clips(id), turn INTEGER REFERENCES turns(id), at_ns INTEGER NOT NULL,
    conversation INTEGER NOT NULL, share REAL NOT NULL, introduces INTEGER NOT NULL DEFAULT 0);
INSERT INTO votes(id, voice, face, clip, at_ns, conversation, share)
    SELECT id, voice, face, clip, at_ns, conversation, 1.0 FROM votes_1 WHERE value = 1;
DROP TABLE votes_1;
CREATE INDEX votes_face ON votes(face);
CREATE INDEX votes_conversation ON votes(conversation);
CREATE TABLE talks(
    voice INTEGER NOT NULL, conversation INTEGER NOT NULL, face INTEGER NOT NULL, votes REAL NOT NULL,
    plus REAL NOT NULL, alone REAL NOT NULL, introduced INTEGER NOT NULL, PRIMARY KEY(voice, conversation, face)
) WITHOUT ROWID;
CREATE TABLE heard(voice INTEGER PRIMARY KEY REFERENCES entities(id), votes REAL NOT NULL);
CREATE TABLE tallies(
    voice INTEGER NOT NULL REFERENCES entities(id), face INTEGER NOT NULL REFERENCES entities(id),
    plus REAL NOT NULL, there REAL NOT NULL, alone REAL NOT NULL, met REAL NOT NULL, PRIMARY KEY(voice, face)
) WITHOUT ROWID;
CREATE INDEX tallies_face ON tallies(face, plus);

CREATE TABLE apart(
    one INTEGER NOT NULL REFERENCES entities(id), other INTEGER NOT NULL REFERENCES entities(id),
    clip INTEGER NOT NULL REFERENCES clips(id), CHECK(one < other), PRIMARY KEY(one, other)) WITHOUT ROWID;
CREATE INDEX apart_other ON apart(other);
CREATE TABLE alike(
    one INTEGER NOT NULL REFERENCES entities(id), other INTEGER NOT NULL REFERENCES entities(id),
    score REAL NOT NULL, clip INTEGER NOT NULL REFERENCES clips(id), CHECK(one < other), PRIMARY KEY(one, other)
) WITHOUT ROWID;
CREATE INDEX alike_other ON alike(other);
CREATE TABLE decisions(
    id INTEGER PRIMARY KEY, change INTEGER NOT NULL REFERENCES journal(id),
    one INTEGER NOT NULL REFERENCES entities(id), other INTEGER NOT NULL REFERENCES entities(id),
    same INTEGER NOT NULL, CHECK(one < other));
CREATE INDEX decisions_one ON decisions(one);
CREATE INDEX decisions_other ON decisions(other);

ALTER TABLE meta ADD COLUMN normaliser INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN norm TEXT;
ALTER TABLE memories ADD COLUMN matter TEXT;
DROP INDEX memories_frame;
CREATE INDEX memories_claim ON memories(subject, attribute, norm, polarity, valid_from_ns) WHERE subject IS NOT NULL;
CREATE INDEX memories_chain ON memories(subject, attribute, matter, polarity, valid_from_ns) WHERE subject IS NOT NULL;
CREATE INDEX persons_merged ON persons(merged_into) WHERE merged_into IS NOT NULL;
CREATE TABLE supports(
    id INTEGER PRIMARY KEY, memory INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    clip INTEGER NOT NULL REFERENCES clips(id), turn INTEGER REFERENCES turns(id),
    start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, source TEXT NOT NULL, text TEXT);
CREATE INDEX supports_memory ON supports(memory, start_ns);
CREATE TABLE relations(
    memory INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    other INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK(kind IN ('supersedes', 'contradicts', 'similar')), PRIMARY KEY(memory, other, kind)
) WITHOUT ROWID;
CREATE INDEX relations_other ON relations(other);

CREATE TABLE evicted(kind TEXT PRIMARY KEY, items INTEGER NOT NULL, bytes INTEGER NOT NULL, until_ns INTEGER NOT NULL);
"""

# held: running totals of what budgets count, kept by triggers. clips.lived_ns: how long the robot has lived by then, a
# pause or leap of its clock counting as a day at most (memory/budgets.py).
BUDGETS = """
ALTER TABLE clips ADD COLUMN lived_ns INTEGER NOT NULL DEFAULT 0;
WITH steps AS (SELECT id, max(0, min(86400000000000, start_ns - coalesce(
        lag(start_ns) OVER (PARTITION BY session ORDER BY sequence), lag(start_ns) OVER (ORDER BY id), start_ns))) AS ns
    FROM clips),
    sums AS (SELECT id, sum(ns) OVER (ORDER BY id) AS ns FROM steps)
    UPDATE clips SET lived_ns = sums.ns FROM sums WHERE sums.id = clips.id;
CREATE TRIGGER clips_added AFTER INSERT ON clips BEGIN
    UPDATE clips SET lived_ns = coalesce(
        (SELECT lived_ns FROM clips WHERE id < new.id ORDER BY id DESC LIMIT 1)
        + max(0, min(86400000000000, new.start_ns - coalesce(
            (SELECT start_ns FROM clips WHERE session = new.session AND sequence < new.sequence
                ORDER BY sequence DESC LIMIT 1),
            (SELECT start_ns FROM clips WHERE id < new.id ORDER BY id DESC LIMIT 1)))), 0)
    WHERE id = new.id; END;

ALTER TABLE snapshots RENAME TO snapshots_1;
CREATE TABLE snapshots(
    id INTEGER PRIMARY KEY AUTOINCREMENT, clip INTEGER NOT NULL REFERENCES clips(id), stamp_ns INTEGER NOT NULL,
    pose TEXT, jpeg BLOB NOT NULL);
INSERT INTO snapshots SELECT id, clip, stamp_ns, pose, jpeg FROM snapshots_1;
DROP TABLE snapshots_1;
CREATE INDEX snapshots_clip ON snapshots(clip, stamp_ns);

CREATE TABLE held(kind TEXT PRIMARY KEY, items INTEGER NOT NULL, bytes INTEGER NOT NULL);
INSERT INTO held SELECT 'snapshots', count(*), coalesce(sum(length(jpeg)), 0) FROM snapshots;
INSERT INTO held SELECT 'quotes', count(*), coalesce(sum(length(CAST(text AS BLOB))), 0) FROM turns WHERE text != '';
CREATE INDEX turns_quoted ON turns(clip) WHERE text != '';
CREATE TRIGGER snapshots_held AFTER INSERT ON snapshots BEGIN
    UPDATE held SET items = items + 1, bytes = bytes + length(new.jpeg) WHERE kind = 'snapshots'; END;
CREATE TRIGGER snapshots_let_go AFTER DELETE ON snapshots BEGIN
    UPDATE held SET items = items - 1, bytes = bytes - length(old.jpeg) WHERE kind = 'snapshots'; END;
CREATE TRIGGER snapshots_changed AFTER UPDATE OF jpeg ON snapshots BEGIN
    UPDATE held SET bytes = bytes + length(new.jpeg) - length(old.jpeg) WHERE kind = 'snapshots'; END;
CREATE TRIGGER quotes_held AFTER INSERT ON turns WHEN new.text != '' BEGIN
    UPDATE held SET items = items + 1, bytes = bytes + length(CAST(new.text AS BLOB)) WHERE kind = 'quotes'; END;
CREATE TRIGGER quotes_let_go AFTER DELETE ON turns WHEN old.text != '' BEGIN
    UPDATE held SET items = items - 1, bytes = bytes - length(CAST(old.text AS BLOB)) WHERE kind = 'quotes'; END;
CREATE TRIGGER quotes_changed AFTER UPDATE OF text ON turns BEGIN
    UPDATE held SET items = items + (new.text != '') - (old.text != ''),
        bytes = bytes + length(CAST(new.text AS BLOB)) - length(CAST(old.text AS BLOB)) WHERE kind = 'quotes'; END;
"""

# so that what a question cuts away is listed without reading the memories themselves
FILTERS = """
CREATE INDEX memories_end ON memories(end_ns, start_ns);
CREATE INDEX memories_source ON memories(source, kind);
CREATE INDEX clips_end ON clips(end_ns);
CREATE INDEX memories_past ON memories(valid_until_ns) WHERE valid_until_ns IS NOT NULL;
"""

# What is archived stays a row, but words do not find it: the search table is of what is not archived. memories.keep: by
# how much a memory is worth its place, so scaled that it need not be made anew as time goes by (compression/worth.py);
# NULL: not weighed yet. running: the sum of all vectors a model ever gave, and of how many. windows: memories about
# nobody, until there are enough to be weighed against each other. derivations: what a memory that consolidation made
# rests on; memories.bearing: how many such rest on it, by triggers (so add with INSERT OR IGNORE, not OR REPLACE, which
# fires none for what it replaces). answered: which memories an answer cited; weights, the learned part of saliency, are
# made of it. counts: how often the robot has met what saliency asks about, and sums over it. looked: on which days
# (since 1970, local) the robot saw a named place ('': any) in a band of the day (consolidation/bands.py).
COMPRESSION = """
DROP TRIGGER memories_added;
DROP TRIGGER memories_removed;
DROP TRIGGER memories_reworded;
DROP TABLE memories_fts;
CREATE VIEW searched AS SELECT id, text FROM memories WHERE archived = 0;
CREATE VIRTUAL TABLE memories_fts USING fts5(text, content='searched', content_rowid='id', tokenize='porter unicode61');
INSERT INTO memories_fts(memories_fts) VALUES ('rebuild');
CREATE TRIGGER memories_added AFTER INSERT ON memories WHEN new.archived = 0 BEGIN
    INSERT INTO memories_fts(rowid, text) VALUES (new.id, new.text); END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories WHEN old.archived = 0 BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, text) VALUES ('delete', old.id, old.text); END;
CREATE TRIGGER memories_changed AFTER UPDATE OF text, archived ON memories
    WHEN old.text != new.text OR old.archived != new.archived BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, text) SELECT 'delete', old.id, old.text WHERE old.archived = 0;
    INSERT INTO memories_fts(rowid, text) SELECT new.id, new.text WHERE new.archived = 0; END;

ALTER TABLE memories ADD COLUMN keep REAL;
ALTER TABLE memories ADD COLUMN surprise REAL;
ALTER TABLE memories ADD COLUMN bearing INTEGER NOT NULL DEFAULT 0;
CREATE INDEX memories_keep ON memories(keep) WHERE archived = 0;
CREATE INDEX memories_counted ON memories(id) WHERE count > 1 AND archived = 0 AND subject IS NULL;
CREATE INDEX memories_timed ON memories(clip) WHERE attribute IN ('promise', 'plan', 'appointment');
CREATE TRIGGER memories_weighed_anew AFTER UPDATE OF valid_until_ns ON memories
    WHEN new.keep NOT NULL AND new.archived = 0 AND old.valid_until_ns IS NOT new.valid_until_ns BEGIN
    UPDATE memories SET keep = NULL WHERE id = new.id; END;
CREATE INDEX memories_archived ON memories(bearing, keep) WHERE archived = 1;
CREATE TABLE running(model TEXT PRIMARY KEY, count INTEGER NOT NULL, total BLOB NOT NULL);
CREATE TABLE windows(memory INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE);
CREATE TABLE derivations(
    memory INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    support INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE, PRIMARY KEY(memory, support)) WITHOUT ROWID;
CREATE INDEX derivations_support ON derivations(support);
CREATE TRIGGER derivations_added AFTER INSERT ON derivations BEGIN
    UPDATE memories SET bearing = bearing + 1 WHERE id = new.support; END;
CREATE TRIGGER derivations_removed AFTER DELETE ON derivations BEGIN
    UPDATE memories SET bearing = bearing - 1, keep = iif(bearing = 1 AND archived = 0, NULL, keep)
        WHERE id = old.support; END;
CREATE TRIGGER derivations_moved AFTER UPDATE OF support ON derivations BEGIN
    UPDATE memories SET bearing = bearing - 1, keep = iif(bearing = 1 AND archived = 0, NULL, keep)
        WHERE id = old.support;
    UPDATE memories SET bearing = bearing + 1 WHERE id = new.support; END;
CREATE TABLE answered(
    id INTEGER PRIMARY KEY, memory INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE, at_ns INTEGER NOT NULL,
    cited INTEGER NOT NULL);
CREATE INDEX answered_memory ON answered(memory);
CREATE TABLE looked(place TEXT NOT NULL, band INTEGER NOT NULL, day INTEGER NOT NULL, PRIMARY KEY(place, band, day))
    WITHOUT ROWID;
CREATE TABLE counts(key TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE weights(name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;

INSERT INTO held SELECT 'memories', count(*), coalesce(sum(length(CAST(text AS BLOB)) + length(embedding)), 0)
    FROM memories WHERE archived = 0;
INSERT INTO held SELECT 'archive', count(*), coalesce(sum(length(CAST(text AS BLOB)) + length(embedding)), 0)
    FROM memories WHERE archived = 1;
CREATE TRIGGER memories_held AFTER INSERT ON memories BEGIN
    UPDATE held SET items = items + 1, bytes = bytes + length(CAST(new.text AS BLOB)) + length(new.embedding)
        WHERE kind = iif(new.archived, 'archive', 'memories'); END;
CREATE TRIGGER memories_let_go AFTER DELETE ON memories BEGIN
    UPDATE held SET items = items - 1, bytes = bytes - length(CAST(old.text AS BLOB)) - length(old.embedding)
        WHERE kind = iif(old.archived, 'archive', 'memories'); END;
CREATE TRIGGER memories_held_otherwise AFTER UPDATE OF text, embedding, archived ON memories BEGIN
    UPDATE held SET items = items - 1, bytes = bytes - length(CAST(old.text AS BLOB)) - length(old.embedding)
        WHERE kind = iif(old.archived, 'archive', 'memories');
    UPDATE held SET items = items + 1, bytes = bytes + length(CAST(new.text AS BLOB)) + length(new.embedding)
        WHERE kind = iif(new.archived, 'archive', 'memories'); END;
"""

STEPS = (FIRST, PEOPLE_AND_CLAIMS, BUDGETS, FILTERS, COMPRESSION)
VERSION = len(STEPS)
