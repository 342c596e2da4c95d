/** The demo's lab: for trying every feature, once by npm and React and once by script tag. */
export const lab = { npm: '/lab', scriptTag: '/lab/script.html' } as const

export const labPages = [
  { name: 'by npm and React', path: lab.npm },
  { name: 'by script tag', path: lab.scriptTag },
] as const
