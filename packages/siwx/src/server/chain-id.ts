import { namespaces } from '@postern/protocol/namespaces'
import * as z from 'zod/mini'

export const ChainId = z.templateLiteral([z.enum(namespaces), ':', z.string()])
