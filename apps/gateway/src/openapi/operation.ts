import type * as z from 'zod/mini'

/** One call of the gateway, as its document tells of it. */
export type Operation = {
  readonly method: 'get' | 'post'
  /** In OpenAPI's writing: `/getWalletImage/{id}`. */
  readonly path: string
  readonly summary: string
  /** Named with `projectId`: the caller is checked against the project's allowlist. */
  readonly caller: 'project' | 'anybody'
  /** Absent: the modal site. The wallet site answers its own pages alone. */
  readonly site?: 'wallet'
  /** Needs `Authorization: Bearer` with the token of a session. */
  readonly session?: boolean
  readonly query?: z.ZodMiniObject
  /** A schema for JSON, or a media type. */
  readonly body?: z.ZodMiniType | string
  /** A schema for JSON, or a media type. */
  readonly response: z.ZodMiniType | string
}
