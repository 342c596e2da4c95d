/** Where `gateway dev` runs, for `doctor` in the same folder. */
import { rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import type { Config } from '../../config'
import { isCode } from '../../platform/error-code'

const Running = z.object({ port: z.int(), modalOrigin: z.string(), walletOrigin: z.string() })
type Running = z.infer<typeof Running>

const fileIn = (dataDir: string) => path.join(dataDir, 'dev.json')

/** Returns a function that forgets it. */
export async function rememberRunning({
  dataDir,
  port,
  modalOrigin,
  walletOrigin,
}: Pick<Config, 'dataDir' | keyof Running>): Promise<() => void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(fileIn(dataDir), JSON.stringify({ port, modalOrigin, walletOrigin } satisfies Running))
  return () => rmSync(fileIn(dataDir), { force: true })
}

export async function readRunning(dataDir: string): Promise<Running | undefined> {
  try {
    return Running.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}
