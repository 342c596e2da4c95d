import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isCode } from '../error-code'

/** Another living process has the embedded database open. */
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
 * Takes `file` as a lock for this process: it holds the owner's pid. A file left behind by a process that is gone is
 * taken over, and so is one with our own pid (a container's process has the same pid after each start).
 *
 * @returns gives the lock back.
 * @throws {DatabaseInUseError} while another process lives that has it.
 */
export async function lockDirectory(file: string, read = readText): Promise<() => Promise<void>> {
  for (;;) {
    // Written beside it and linked into place, so that nobody ever reads a lock with no pid in it.
    const draft = `${file}.${process.pid}`
    await writeFile(draft, `${process.pid}\n`, { mode: 0o600 })
    try {
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

/** 0 where nobody has it, or no pid is in it. */
async function ownerIn(file: string, read: typeof readText): Promise<number> {
  return Number(await read(file).catch(() => '')) || 0
}

function isTaken(owner: number): boolean {
  return owner > 0 && owner !== process.pid && isAlive(owner)
}

/** Takes away what was left behind. Another process may have done so since it was looked at, and have the lock by now: what turns out to be that one's is put back. */
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
