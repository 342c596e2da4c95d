import { siwx } from '../../siwx'

const route = async (request: Request) => (await siwx(request)) ?? new Response(null, { status: 404 })

export { route as GET, route as OPTIONS, route as POST }
