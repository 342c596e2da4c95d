import path from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError } from '../../platform/command-error'
import type { Database } from '../../platform/db/open'
import { places } from '../../platform/settings/places'
import { backUp, restore } from './backup'

const usage = `Usage: ${places.command} backup|restore <file> [--data-keys <file>]`

/** @param folder for relative names. @returns the text to print. */
export async function runBackupCommand(
  [command, ...words]: readonly string[],
  folder: string,
  openDatabase: () => Promise<Database>,
): Promise<string> {
  const { file, dataKeys } = readWords(words)
  const files = {
    rows: path.resolve(folder, file),
    dataKeys: dataKeys === undefined ? undefined : path.resolve(folder, dataKeys),
  }
  if (files.rows === files.dataKeys) throw new CommandError('The data keys need a file of their own', 2)
  const database = await openDatabase()
  if (command === 'backup') return `${await backUp(database, files, Date.now())} rows in ${file}`
  const { rows, createdAt } = await restore(database, files)
  return `${rows} rows of ${createdAt}. All visitors are signed out; open codes and links no longer work`
}

function readWords(words: readonly string[]): { readonly file: string; readonly dataKeys: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { 'data-keys': { type: 'string' } },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    if (file !== undefined && more.length === 0) return { file, dataKeys: values['data-keys'] }
  } catch (error) {
    if (error instanceof Error) throw new CommandError(`${error.message}\n${usage}`, 2)
    throw error
  }
  throw new CommandError(usage, 2)
}
