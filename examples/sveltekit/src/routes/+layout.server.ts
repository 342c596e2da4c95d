import { initialStateFrom } from '@postern/client/server'

/** The server renders the account of the last visit. */
export const load = ({ request }: { request: Request }) => ({
  initialState: initialStateFrom('dev', request.headers.get('cookie')),
})
