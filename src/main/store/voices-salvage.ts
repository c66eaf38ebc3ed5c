import type Database from 'better-sqlite3'

/** Media of voices whose rows could not be read: the files may still exist. */
export const lostAudio = `
  INSERT INTO media(id, sha256, bytes, mime, name, created_at)
  SELECT id, '', 0, 'audio/wav', '', 0
  FROM (SELECT media_id AS id FROM voice_versions UNION SELECT preview_id FROM voice_clones WHERE preview_id IS NOT NULL
    UNION SELECT preview_id FROM voices WHERE preview_id IS NOT NULL)
  WHERE id NOT IN (SELECT id FROM media)`

/**
 * Makes the rest of damaged voices readable: a sample whose own row was lost is rebuilt from its newest version, and one whose
 * current version was lost uses the newest one left. A voice without any version has no audio and is deleted with its item's
 * rows.
 */
export function repairVoices(db: Database.Database): void {
  db.exec(`
    INSERT INTO voice_samples(item_seq, source, language, version_id, text)
    SELECT i.seq, '{"kind":"recorded"}', 'en', v.id,
      '{"text":"","state":"none","versionId":null,"model":null,"notice":null,"error":null}'
    FROM items i JOIN voice_versions v ON v.seq = (SELECT max(seq) FROM voice_versions WHERE item_seq = i.seq)
    WHERE i.kind = 'voice' AND i.seq NOT IN (SELECT item_seq FROM voice_samples);
    UPDATE voice_samples SET version_id = coalesce(
        (SELECT id FROM voice_versions v WHERE v.item_seq = voice_samples.item_seq ORDER BY seq DESC LIMIT 1), version_id)
      WHERE version_id NOT IN (SELECT id FROM voice_versions)`)
}
