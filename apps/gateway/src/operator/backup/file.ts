/** Gzip of JSON lines: the {@link Header}; per table, its name in a list and its rows; last `["end", rows]`. */
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as z from 'zod/mini'
import { CommandError } from '../../platform/command-error'
import { isCode } from '../../platform/error-code'
import { parseJson } from '../../platform/parse-json'
import { type SavedTable, savedTables } from './tables'

const formatVersion = 1

const Header = z.object({
  postern: z.literal('backup'),
  version: z.number(),
  /** The same in both files of one backup. */
  id: z.string(),
  createdAt: z.iso.datetime(),
  /** Time of the database's last migration. */
  schema: z.string(),
  part: z.enum(['all', 'rows', 'dataKeys']),
})
export type Header = Omit<z.infer<typeof Header>, 'postern' | 'version'>

/** `row`: JSON text. */
export type Entry = { readonly table: SavedTable; readonly row: string }

/** Replaces no file; leaves none behind if it fails. */
export async function writeBackup(file: string, header: Header, entries: AsyncIterable<Entry>): Promise<number> {
  let count = 0
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify({ postern: 'backup', version: formatVersion, ...header })}\n`
    let current: SavedTable | null = null
    for await (const { table, row } of entries) {
      if (table !== current) yield `${JSON.stringify(['table', table])}\n`
      current = table
      count += 1
      yield `${row}\n`
    }
    yield `${JSON.stringify(['end', count])}\n`
  }
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(Readable.from(lines()), createGzip(), output)
    return count
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw new CommandError(`${file} is there already, and was not changed`)
    if (failedToOpen(error)) throw new CommandError(`${file} cannot be written: make its folder, or name another one`)
    await rm(file, { force: true })
    if (isCode(error, 'ENOSPC'))
      throw new CommandError(`${file} was not written: its disk is full. Name a file on another`)
    throw error
  }
}

function failedToOpen(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'open'
}

const Mark = z.union([z.tuple([z.literal('table'), z.enum(savedTables)]), z.tuple([z.literal('end'), z.number()])])

/** @returns `entries` reads the rest, and fails if the file was cut off. @throws {CommandError} also from `entries`. */
export async function readBackup(
  file: string,
): Promise<{ readonly header: Header; readonly entries: AsyncIterable<Entry> }> {
  const damaged = new CommandError(`${file} is damaged or no backup: take another one`)
  const lines = readLines(file, damaged)
  const first = await lines.next()
  const parsed = Header.safeParse(first.done === true ? null : parseJson(first.value))
  if (!parsed.success) throw damaged
  if (parsed.data.version !== formatVersion) {
    throw new CommandError(`${file} has format ${parsed.data.version}, and this gateway reads ${formatVersion}`)
  }
  return { header: parsed.data, entries: readEntries() }

  async function* readEntries(): AsyncGenerator<Entry> {
    let table: SavedTable | null = null
    let count = 0
    for await (const line of lines) {
      if (line.startsWith('{')) {
        if (table === null) throw damaged
        count += 1
        yield { table, row: line }
        continue
      }
      const mark = Mark.safeParse(parseJson(line))
      if (!mark.success) throw damaged
      const [kind, value] = mark.data
      if (kind === 'end') {
        if (value === count) return
        throw damaged
      }
      table = value
    }
    throw damaged
  }
}

async function* readLines(file: string, damaged: CommandError): AsyncGenerator<string> {
  const unzipped = createGunzip()
  const reading = pipeline(createReadStream(file), unzipped)
  // Failures are thrown below.
  reading.catch(() => {})
  const lines = createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })
  try {
    yield* lines
    await reading
  } catch (error) {
    throw isCode(error, 'ENOENT') ? new CommandError(`${file} is not there`) : damaged
  } finally {
    unzipped.destroy()
  }
}
