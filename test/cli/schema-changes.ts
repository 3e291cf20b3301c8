import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/engine/store/migrations.ts';
import { APPLICATION_ID } from '../../src/engine/store/sqlite-file.ts';
import { newDatabase, onDatabase } from '../engine/store/postgres-server.ts';
import commands from './database-commands.json' with { type: 'json' };
import { inUse } from './full-disk.ts';
import { prepared } from './homes.ts';
import type { Home } from './partner.ts';

const withBackup = prepared(inUse, (home) => home.must('engine backup now.backup'));

const steps = (dialect: 'sqlite' | 'postgres') =>
  MIGRATIONS.slice(0, 3).flatMap(({ statements }) => statements(dialect));
export const OLDER = {
  sqlite: [`pragma application_id = ${APPLICATION_ID}; pragma user_version = 3`, ...steps('sqlite')].join(
    ';',
  ),
  postgres: ['create table schema_version as select 3 as version', ...steps('postgres')].join(';'),
};
const NEWER = {
  sqlite: `pragma user_version = ${SCHEMA_VERSION + 1}`,
  postgres: 'update schema_version set version = version + 1',
};

export async function assertChanges(line: string, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const changes: string[] = [];
  for (const state of ['missing', 'empty', 'older', 'current', 'newer']) {
    const home = await withBackup();
    rmSync(home.data, { recursive: true });
    const { env, run, see, drop } = dialect === 'sqlite' ? file(home) : await serverDatabase();
    if (state === 'missing') await drop();
    if (state === 'older') await run(OLDER[dialect]);
    if (state === 'current' || state === 'newer') await home.must('engine restore now.backup', { env });
    if (state === 'newer') await run(NEWER[dialect]);
    const [schema, ...content] = await see();
    const { code, stderr } = await home.run(`${line} --json`, { env });
    const [schemaAfter, ...contentAfter] = await see();
    assert.ok(code !== null && code !== 1, `${line}: ${stderr}`);
    const isSame = JSON.stringify(contentAfter) === JSON.stringify(content);
    const change = isSame ? (code === 2 ? 'refused' : 'nothing') : 'rows';
    changes.push(schemaAfter === schema ? change : `schema ${schemaAfter}`);
    if (state !== 'missing') await drop();
  }
  const row = commands.allowed.find(([kind]) => commands[kind as 'reads'].includes(line)) ?? [];
  const allowed = (row[dialect === 'sqlite' ? 1 : 2] ?? '').replaceAll('MADE', `schema ${SCHEMA_VERSION}`);
  assert.match(changes.join(), new RegExp(`^${allowed.replaceAll('SAME', '(nothing|refused)')}$`));
}

function file(home: Home) {
  const { data, database } = home;
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  writeFileSync(database, '', { mode: 0o600 });
  return {
    env: {},
    run(sql: string): void {
      const opened = new Libsql(database);
      opened.exec(sql);
      opened.close();
    },
    see(): unknown[] {
      const names = existsSync(data) ? readdirSync(data, { recursive: true, encoding: 'utf8' }).sort() : [];
      const files = names.filter((name) => !/-(?:wal|shm)$/.test(name));
      if (!existsSync(database)) return [undefined, files];
      const [pragma] = home.stored<{ user_version: number }>('pragma user_version');
      const schema = home.stored<{ type: string; name: string }>('select * from sqlite_schema order by name');
      const tables = schema.filter(({ type }) => type === 'table');
      const rows = tables.map(({ name }) => home.stored(`select * from ${name}`));
      return [pragma?.user_version, files, schema, rows];
    },
    drop: () => rmSync(data, { recursive: true }),
  };
}

const EVERYTHING = `select table_name as name, query_to_xml(format('select * from %I', table_name), true, true, '')::text
  as rows from information_schema.tables where table_schema = 'public' order by 1`;

async function serverDatabase() {
  const { url, drop } = await newDatabase();
  return {
    env: { PARTNER_ENGINE_DATABASE: url },
    run: (sql: string) => onDatabase(url, sql),
    async see(): Promise<unknown[]> {
      const tables = await onDatabase(url, EVERYTHING).catch(() => []);
      const version = tables.find(({ name }) => name === 'schema_version')?.rows;
      return [/<version>(\d+)/.exec(String(version))?.[1], tables];
    },
    drop,
  };
}
