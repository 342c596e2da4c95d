/** `gateway secrets rotate` and `gateway secrets reseal`. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '../db/open'
import { CommandError } from '../projects/commands'
import { purposes, type Secrets } from '../secrets/secrets'
import { reseal } from './reseal'
import { isPurpose, rotateFile } from './rotate-file'

const usage = `Usage: npm run gateway -- secrets rotate <file> [--last] [--purpose <name>]…
       npm run gateway -- secrets reseal`

/** @param folder of the caller, for relative names. @returns the text to print. */
export async function runRotate(words: readonly string[], folder: string): Promise<string> {
  const { file, last, named } = readWords(words)
  const chosen = named.length === 0 ? purposes : named.filter(isPurpose)
  const unknown = named.filter((name) => !isPurpose(name))
  if (unknown.length > 0) throw new CommandError(`Unknown purpose ${unknown.join(', ')}: ${purposes.join(', ')}`, 2)
  return rotateFile(path.resolve(folder, file), last ? 'last' : 'first', chosen)
}

/** @returns the text to print, and whether rows do not open. */
export async function runReseal(database: Database, secrets: Secrets, now: () => number) {
  const { users, wallets, signIns, waiting } = await reseal(database, secrets, now)
  const failed = users.failed + wallets.failed + signIns.failed
  const text = [
    `Sealed again: ${users.sealed} users, ${wallets.sealed} wallets, ${signIns.sealed} keys and proofs of sign-in with wallet.`,
    ...(waiting > 0
      ? [`${waiting} users of social accounts have a hash by an older "email" key until they sign in: keep that key.`]
      : []),
    ...(failed > 0
      ? [
          `No key opens ${users.failed} users, ${wallets.failed} wallets, ${signIns.failed} keys and proofs: a key is missing.`,
        ]
      : []),
  ].join('\n')
  return { text, failed: failed > 0 }
}

function readWords(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { last: { type: 'boolean' }, purpose: { type: 'string', multiple: true } },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    if (file !== undefined && more.length === 0) {
      return { file, last: values.last === true, named: values.purpose ?? [] }
    }
  } catch (error) {
    if (error instanceof Error) throw new CommandError(`${error.message}\n${usage}`, 2)
    throw error
  }
  throw new CommandError(usage, 2)
}
