import { link, readFile, rm, writeFile } from 'node:fs/promises'
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

/**
 * Takes `file` as a lock for this process: it holds the owner's pid. A file left behind by a process that is gone is
 * taken over, and so is one with our own pid (a container's process has the same pid after each start).
 *
 * @returns gives the lock back.
 * @throws {DatabaseInUseError} while another process lives that has it.
 */
export async function lockDirectory(file: string): Promise<() => Promise<void>> {
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
    const owner = Number(await readFile(file, 'utf8').catch(() => ''))
    if (owner > 0 && owner !== process.pid && isAlive(owner)) throw new DatabaseInUseError(owner, file)
    await rm(file, { force: true })
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
