import { Hono } from 'hono'
import { siwx } from './siwx'

export const app = new Hono()
app.all('/siwx/*', async (context) => (await siwx(context.req.raw)) ?? context.notFound())
