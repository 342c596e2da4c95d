import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isCode } from '../error-code'

export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError'
  constructor(
    readonly pid: number,
    file: string,
  ) {
    super(
      `The embedded database is in use by process ${pid} (${file}). Two processes would damage it: stop that one, or set DATABASE_URL to use PostgreSQL.`,
    )
  }
}

const readText = (file: string): Promise<string> => readFile(file, 'utf8')

/**
 * Locks `file` with this process's pid, also if its owner ended or has our pid, as at each start of a container.
 *
 * @returns releases the lock. @throws {DatabaseInUseError}
 */
export async function lockDirectory(file: string, read = readText): Promise<() => Promise<void>> {
  for (;;) {
    // Linked into place: readers never see a lock without a pid.
    const draft = `${file}.${process.pid}`
    try {
      await writeFile(draft, `${process.pid}\n`, { mode: 0o600 })
      await link(draft, file)
      return () => rm(file, { force: true })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    } finally {
      await rm(draft, { force: true })
    }
    const owner = await ownerIn(file, read)
    if (isTaken(owner)) throw new DatabaseInUseError(owner, file)
    await clear(file, owner, read)
  }
}

/** 0 without a lock or a pid. */
async function ownerIn(file: string, read: typeof readText): Promise<number> {
  return Number(await read(file).catch(() => '')) || 0
}

function isTaken(owner: number): boolean {
  return owner > 0 && owner !== process.pid && isAlive(owner)
}

/** Removes a stale lock, unless another process replaced it meanwhile. */
async function clear(file: string, left: number, read: typeof readText): Promise<void> {
  const aside = `${file}.${process.pid}.left`
  try {
    await rename(file, aside)
    const owner = await ownerIn(aside, read)
    if (owner !== left && isTaken(owner)) await link(aside, file)
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}
