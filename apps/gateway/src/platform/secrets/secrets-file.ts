/** Secrets of a development gateway, readable by their owner only. */
import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isCode } from '../error-code'
import { parseJson } from '../parse-json'
import { newSecretKeys, SecretKeys } from './secrets'

/**
 * 1. A missing file is created with mode 0600 in a folder of mode 0700, and never written again.
 * 2. Of two processes that start together, the first to link a complete draft wins. Draft names have no process number,
 *    which two containers share.
 * 3. A file without valid secrets is an error, and stays: replacing it would lose everything sealed.
 */
export async function loadOrCreateSecrets(file: string): Promise<SecretKeys> {
  const stored = await readSecretsFile(file)
  if (stored !== null) return stored
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify(newSecretKeys(), null, 2)}\n`, { mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  const made = await readSecretsFile(file)
  if (made === null) throw new Error(`${file} went away while it was made`)
  return made
}

async function readSecretsFile(file: string): Promise<SecretKeys | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
  await chmod(file, 0o600)
  const parsed = SecretKeys.safeParse(parseJson(text))
  if (!parsed.success) throw new Error(`${file} does not hold the gateway's secrets`)
  return parsed.data
}
