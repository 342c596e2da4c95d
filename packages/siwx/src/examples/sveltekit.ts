// src/routes/siwx/[route]/+server.ts
import { siwx } from './siwx'

export const fallback = async ({ request }: { request: Request }) =>
  (await siwx(request)) ?? new Response(null, { status: 404 })
