import { isCode } from '../error-code'

/** SQLSTATE of a role that may not create tables. */
const insufficientPrivilege = '42501'

/** The database does not open, and the operator can resolve it. Contains no password. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError'
}

export function cannotConnect(url: string, error: unknown): DatabaseOpenError {
  return new DatabaseOpenError(
    `The database ${placeOf(url)} does not open: ${reasonOf(error)}. Check DATABASE_URL, and that PostgreSQL runs and lets the gateway in.`,
  )
}

/** @returns `error` if it is not about rights. */
export function cannotMigrate(url: string, error: unknown): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isCode(cause, insufficientPrivilege)) {
      return new DatabaseOpenError(
        `The database ${placeOf(url)} cannot be migrated: ${cause.message}. Make the role of DATABASE_URL its owner.`,
      )
    }
  }
  return error
}

/** @returns `error` if it is not of the file system. */
export function cannotStore(dir: string, error: unknown): unknown {
  // PGlite's file system errors have no stack or message.
  const isFile = error instanceof Error ? 'syscall' in error : isNamed(error, 'ErrnoError')
  if (!isFile) return error
  const reason = error instanceof Error ? error.message : 'a file cannot be written'
  return new DatabaseOpenError(
    `The embedded database ${dir} does not open: ${reason}. Check that the gateway may write there and that the disk has space.`,
  )
}

function isNamed(error: unknown, name: string): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name
}

function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'of DATABASE_URL'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Node lists a reason per address of a host. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
