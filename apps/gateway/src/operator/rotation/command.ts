import path from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CommandError } from '../../platform/command-error'
import type { Database } from '../../platform/db/open'
import { parseJson } from '../../platform/parse-json'
import { createVaultTransit, WrappedSecrets } from '../../platform/secrets/key-service'
import { purposes, SecretKeys, type Secrets } from '../../platform/secrets/secrets'
import { places } from '../../platform/settings/places'
import { textOrFile } from '../../platform/settings/text-or-file'
import { reseal } from './reseal'
import { isPurpose, readSecretsFile, rotateFile } from './rotate-file'

const usage = `Usage: ${places.command} secrets rotate <file> [--last] [--purpose <name>]…
       ${places.command} secrets reseal
       ${places.command} secrets wrap <file> --url <url> --key <name>`

/** @param folder for relative names. @returns the text to print. */
export async function runRotate(words: readonly string[], folder: string): Promise<string> {
  const { file, last, named } = readWords(words)
  const chosen = named.length === 0 ? purposes : named.filter(isPurpose)
  const unknown = named.filter((name) => !isPurpose(name))
  if (unknown.length > 0) throw new CommandError(`Unknown purpose ${unknown.join(', ')}: ${purposes.join(', ')}`, 2)
  return rotateFile(path.resolve(folder, file), last ? 'last' : 'first', chosen)
}

/** @returns `POSTERN_SECRETS` as the key service wrapped it. */
export async function runWrap(
  words: readonly string[],
  folder: string,
  tokenOrFile: string | undefined,
): Promise<string> {
  const { values, positionals } = parse(words, { url: { type: 'string' }, key: { type: 'string' } } as const)
  const [file, ...more] = positionals
  const { url, key } = values
  if (file === undefined || more.length > 0 || url === undefined || key === undefined) throw new CommandError(usage, 2)
  const problems: string[] = []
  const token = textOrFile('POSTERN_KEY_SERVICE_TOKEN', tokenOrFile, problems)
  if (token === undefined || token === '')
    throw new CommandError(problems[0] ?? 'POSTERN_KEY_SERVICE_TOKEN must be set', 2)
  const parsed = SecretKeys.safeParse(parseJson(await readSecretsFile(path.resolve(folder, file))))
  if (!parsed.success) throw new CommandError(`${file} does not hold the gateway's secrets`)
  // Checks the URL before the token goes there.
  const target = { by: 'vault-transit', url, key, ciphertext: 'vault:v1:AA==' }
  const checked = WrappedSecrets.safeParse({ wrapped: target })
  if (!checked.success) throw new CommandError(checked.error.issues.map(({ message }) => message).join('; '))
  const ciphertext = await createVaultTransit(target, token, fetch).wrap(JSON.stringify(parsed.data))
  return JSON.stringify({ wrapped: { ...target, ciphertext } })
}

/** @returns the text to print, and whether rows do not open. */
export async function runReseal(database: Database, secrets: Secrets, now: () => number) {
  const { users, wallets, ends, signIns, waiting } = await reseal(database, secrets, now)
  const failed = users.failed + wallets.failed + ends.failed + signIns.failed
  const text = [
    `Sealed again: ${users.sealed} users, ${wallets.sealed} wallets, ${ends.sealed} statements of ended wallets, ${signIns.sealed} keys and proofs of sign-in with wallet.`,
    ...(waiting > 0
      ? [`${waiting} users of social accounts have a hash by an older "email" key until they sign in: keep that key.`]
      : []),
    ...(failed > 0
      ? [
          `No key opens ${users.failed} users, ${wallets.failed} wallets, ${ends.failed} statements of ended wallets, ${signIns.failed} keys and proofs: a key is missing.`,
        ]
      : []),
  ].join('\n')
  return { text, failed: failed > 0 }
}

function readWords(words: readonly string[]) {
  const options = { last: { type: 'boolean' }, purpose: { type: 'string', multiple: true } } as const
  const { values, positionals } = parse(words, options)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new CommandError(usage, 2)
  return { file, last: values.last === true, named: values.purpose ?? [] }
}

function parse<const Options extends ParseArgsConfig['options']>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    if (error instanceof Error) throw new CommandError(`${error.message}\n${usage}`, 2)
    throw error
  }
}
