import type { Page, Request } from '@playwright/test'

export type Heard = { readonly path: string; readonly body: string }

export function listen(page: Page): readonly Heard[] {
  const heard: Heard[] = []
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/e' || pathname === '/getAnalyticsConfig')
      heard.push({ path: pathname, body: request.postData() ?? '' })
  })
  return heard
}

export const events = (heard: readonly Heard[]): string[] =>
  heard.flatMap(({ path, body }) => (path === '/e' ? [String(JSON.parse(body).props.event)] : []))

export const signInEvents = (heard: readonly Heard[]): string[] => events(heard).filter((name) => name.includes('SIWX'))
