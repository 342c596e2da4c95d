import type * as z from 'zod/mini'

export type Operation = {
  readonly method: 'get' | 'post'
  /** OpenAPI syntax: `/getWalletImage/{id}`. */
  readonly path: string
  readonly summary: string
  /** 'project': checks `projectId` and the project's allowlist. */
  readonly caller: 'project' | 'anybody'
  /** Default: the modal site. The wallet site accepts only its own pages. */
  readonly site?: 'wallet'
  /** Needs a session token and a proof by the session's key (`Authorization: DPoP`, RFC 9449). */
  readonly session?: boolean
  readonly query?: z.ZodMiniObject
  /** A schema for JSON, or a media type. */
  readonly body?: z.ZodMiniType | string
  /** A schema for JSON, or a media type. */
  readonly response: z.ZodMiniType | string
}
