import type { Env, Handler, Hono } from 'hono'
import type * as z from 'zod/mini'

export type Operation<Path extends string = string> = {
  readonly method: 'get' | 'post'
  /** Hono's syntax: `/getWalletImage/:id`. */
  readonly path: Path
  readonly summary: string
  /** 'project': checks `projectId` and the allowlist. */
  readonly caller: 'project' | 'anybody'
  /** Default: the modal site. The wallet site accepts only its own pages. */
  readonly site?: 'wallet'
  /** Needs a session token and its key's proof (`Authorization: DPoP`, RFC 9449). */
  readonly session?: boolean
  readonly query?: z.ZodMiniObject
  /** A schema for JSON, or a media type. */
  readonly body?: z.ZodMiniType | string
  /** As `body`. */
  readonly response: z.ZodMiniType | string
}

/** Infers the path, which names the parameters. */
export const operation = <const Path extends string>(described: Operation<Path>): Operation<Path> => described

/** @param app not strict: its routes have no trailing slash. */
export function serveOperation<E extends Env, Path extends string>(
  app: Hono<E>,
  { method, path }: Operation<Path>,
  ...handlers: Handler<E, Path>[]
): void {
  app.on(method, [path.replace(/(.)\/$/, '$1')], ...handlers)
}
