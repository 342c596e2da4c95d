/** The two sites of the process, told apart by host name. */
import type { Context, MiddlewareHandler } from 'hono'
import type { Files } from '../platform/html/files'
import { revalidate, sendFile } from '../platform/html/send-file'
import type { CallerEnv, Site } from '../projects/caller'

export type SiteEnv = CallerEnv & { Variables: { requestId: string } }

export const shownAnywhere = { 'Cache-Control': revalidate, 'Cross-Origin-Resource-Policy': 'cross-origin' }

export function only(site: Site) {
  return async (context: Context<SiteEnv>, next: () => Promise<void>) => {
    if (context.get('site') !== site) return context.notFound()
    return next()
  }
}

export function bySite({ wallet, modal }: Readonly<Record<'wallet' | 'modal', MiddlewareHandler>>) {
  return (context: Context<SiteEnv>, next: () => Promise<void>) =>
    (context.get('site') === 'wallet' ? wallet : modal)(context, next)
}

export async function serveFile(
  context: Context,
  files: Files,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const content = await files.read(name)
  return content === null ? context.notFound() : sendFile(context, content, headers)
}
