/**
 * Adds new keys to a file of secrets (`gateway secrets rotate`).
 *
 * 1. No key is lost: the new file is complete before it replaces the old one.
 * 2. A new key's id is one above the highest number.
 * 3. `last` puts new keys at the end, which open but do not seal: replicas that learn of a key at different times open
 *    each other's rows. `first` moves them to the front, or makes new ones there.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { CommandError } from '../../platform/command-error'
import { isCode } from '../../platform/error-code'
import { parseJson } from '../../platform/parse-json'
import { type Purpose, purposes, SecretKeys } from '../../platform/secrets/secrets'

type Ring = SecretKeys[Purpose]

export async function rotateFile(file: string, place: 'first' | 'last', chosen: readonly Purpose[]): Promise<string> {
  const parsed = SecretKeys.safeParse(parseJson(await readSecretsFile(file)))
  if (!parsed.success) throw new CommandError(`${file} does not hold the gateway's secrets, and was not changed`)
  const before = parsed.data
  const after = SecretKeys.parse({
    ...before,
    ...Object.fromEntries(chosen.map((purpose) => [purpose, rotate(before[purpose], place)])),
  })
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  return chosen
    .map(
      (purpose) =>
        `${purpose}: seals with ${after[purpose][0]?.id}, opens ${after[purpose].map(({ id }) => id).join(', ')}`,
    )
    .join('\n')
}

export async function readSecretsFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(
      isCode(error, 'ENOENT')
        ? `${file} is not there`
        : `${file} cannot be read: ${error instanceof Error ? error.message : error}`,
    )
  })
}

function rotate(ring: Ring, place: 'first' | 'last'): Ring {
  const [first, ...others] = ring
  const newest = others.findLast(({ id }) => numberOf(id) > numberOf(first?.id ?? ''))
  if (place === 'first' && newest !== undefined) return [newest, ...ring.filter((entry) => entry !== newest)]
  if (place === 'last' && newest !== undefined) return ring
  const id = String(Math.max(0, ...ring.map((entry) => numberOf(entry.id))) + 1)
  const fresh = { id, key: randomBytes(32).toString('base64url') }
  return place === 'first' ? [fresh, ...ring] : [...ring, fresh]
}

function numberOf(id: string): number {
  return /^\d+$/.test(id) ? Number(id) : 0
}

export function isPurpose(word: string): word is Purpose {
  return purposes.some((purpose) => purpose === word)
}
