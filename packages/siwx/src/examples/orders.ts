import { requireSession } from '@postern/siwx/server'
import { cookie, sessions } from './siwx'

/** Your own route. `requireSession` throws the response: 401, or 403 for a page that is not allowed. */
export async function postOrder(request: Request): Promise<Response> {
  try {
    const visitor = await requireSession(request, { sessions, cookie, origins: ['https://example.com'] })
    return Response.json({ orderedBy: visitor.sessions.map(({ chainId, address }) => `${chainId}:${address}`) })
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
}
