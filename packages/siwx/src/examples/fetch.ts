// bun run server.ts; deno serve --allow-env --allow-net server.ts; workers
import { siwx } from './siwx'

export default {
  fetch: async (request: Request) => (await siwx(request)) ?? new Response('Hello'),
}
