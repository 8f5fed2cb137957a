import { counted } from './counted.js'
import type { Messages } from './messages.js'

const count = counted('zh-CN')
const number = count({ other: '#' })
const kilobytes = count({ other: '有一块内容（# KB）被略去' })

/** The words in simplified Chinese. */
export const zhCN: Messages = {
  toolCall: '工具调用',
  status: {
    pending: '待执行',
    waiting: '等待你确认',
    running: '运行中',
    done: '已完成',
    error: '失败',
    aborted: '已中止',
    denied: '已拒绝',
    unknown: '未知',
  },
  calling: '调用中…',
  loadingArguments: '参数加载中…',
  titleRunning: {
    command: (argument) => `正在运行 ${argument}`,
    query: (argument) => `正在搜索 ${argument}`,
    url: (argument) => `正在打开 ${argument}`,
  },
  titleEnded: {
    command: (argument) => `已运行 ${argument}`,
    query: (argument) => `已搜索 ${argument}`,
    url: (argument) => `已打开 ${argument}`,
  },
  modeLive: '实时',
  modeReplay: '回放',

  outcome: { done: '最终结果', error: '失败', aborted: '已中止', denied: '已拒绝', unknown: '结果未知' },
  endedWithoutResult: '已结束，没有结果',
  outcomeUnknownHint: '无法得知它是如何结束的。',
  unknownCause: {
    connection_closed: '连接已关闭，没有等到结果。',
    session_ended: '会话已结束，没有等到结果。',
  },
  noValue: '没有给出结果',
  emptyText: '（空文本）',
  callerRecorded: '调用方的记录：',

  arguments: '参数',
  argumentsCutOff: '参数到此中断',
  argumentsBroken: count({ other: '从第 # 个字符起不是 JSON，按原文显示' }),
  masked: '已隐藏',
  process: (position) => (position === undefined ? '过程' : `过程 ${position}`),
  processEnded: (position) => (position === undefined ? '过程已结束' : `过程 ${position} 已结束`),
  blocks: count({ other: '# 块' }),
  noEndReported: '未报告结束',
  droppedBlocks: count({ other: '较早的 # 块已被丢弃' }),
  numberingSkips: count({ other: '编号跳过 # 个' }),
  interruption: (lost, back) =>
    back === undefined ? `连接自 ${lost} 起中断，可能缺少部分内容` : `连接在 ${lost}–${back} 中断，可能缺少部分内容`,
  newerMessages: count({ other: '有 # 条消息来自更新的版本' }),
  waiting: '正在等待第一块内容…',
  noDetails: '没有过程详情',
  nothingKnown: '目前还没有关于此调用的信息',
  noLongerKept: '此调用已不再保留',

  thinking: '思考中…',
  thought: '已思考',
  thoughtFor: (duration) => `思考了 ${duration}`,
  errorLine: '错误',
  blockLeftOut: (size) => kilobytes(Math.ceil(size / 1024)),
  unnamedTool: '工具',

  outputOf: (tool) => (tool === undefined ? '输出' : `${tool} 的输出`),
  lines: count({ other: '# 行' }),
  newLines: count({ other: '# 行新内容' }),
  droppedLines: count({ other: '较早的 # 行已不再保留' }),
  moreCharacters: count({ other: '还有 # 个字符' }),
  fullScreenOutput: count({ other: '全屏程序输出了 # 个字符，未显示' }),
  refusedChunks: count({ other: '# 段输出来得太晚，未显示' }),
  search: '搜索',
  searchFor: '搜索输出',
  wrap: '换行',
  save: '保存',
  previousMatch: '上一个匹配',
  nextMatch: '下一个匹配',
  closeSearch: '关闭搜索',
  caseSensitive: '区分大小写',
  regularExpression: '正则表达式',
  invalidExpression: '不是有效的正则表达式',
  matches: (current, found, isCapped) =>
    found === 0
      ? '无匹配'
      : `第 ${current > 0 ? number(current) : '–'} 个，共 ${number(found)}${isCapped ? '+' : ''} 个`,

  copy: '复制',
  copied: '已复制',
  copyFailed: '未能复制',
  showAllLines: count({ other: '显示全部（# 行）' }),
  showAllCharacters: count({ other: '显示全部（# 个字符）' }),
  showMore: count({ other: '再显示 # 项' }),
  showEarlier: count({ other: '显示更早的 # 项' }),
  showLess: '收起',
  entries: count({ other: '# 项' }),

  wantsToRun: (tool, agent, server) =>
    `${agent === undefined ? '智能体' : `子智能体 ${agent} `}请求${
      server === undefined ? '' : `通过 ${server} `
    }运行 ${tool}。`,
  changesData: '会修改数据',
  argumentsDiffer: '这些参数与调用中显示的不同',
  argumentsPending: '参数仍在接收中',
  allow: {
    any: '允许',
    once: '允许一次',
    session: '本次会话内允许',
    always: '始终允许',
    other: (scope) => `允许：${scope}`,
  },
  deny: '拒绝',
  addReason: '添加理由',
  reasonForDenying: '拒绝的理由',
  allowed: {
    any: '已允许',
    once: '已允许一次',
    session: '已允许，本次会话内有效',
    always: '已始终允许',
    other: (scope) => `已允许：${scope}`,
  },
  answerSending: '正在发送…',
  answerSent: '已发送，等待确认',
  answerFailed: '你的答复未能发送',
  answeredElsewhere: '已在别处答复',
  answersConflict: '收到了两个不同的答复',
  requestWithdrawn: '已撤回，不再需要答复',
  requestExpired: '已过期，无人答复',
  expiresIn: (time) => `${time} 后过期`,
  requests: '待确认的请求',
  position: (position, total) => `第 ${number(position)} 个，共 ${number(total)} 个`,
  previousRequest: '上一个请求',
  nextRequest: '下一个请求',
  showRequest: '查看请求',
  showCall: '查看调用',
  dismiss: '关闭提示',

  timeLeft: (time) => `剩余 ${time}`,
  overdue: (time) => `已超时 ${time}`,

  exitCode: (code) => `退出码 ${code}`,
  endedBySignal: (signal) => `被 ${signal} 终止`,

  subAgentCalls: '子智能体的调用',
  calls: count({ other: '# 个调用' }),
  callsByStatus: {
    pending: count({ other: '# 个待执行' }),
    waiting: count({ other: '# 个等待你确认' }),
    running: count({ other: '# 个运行中' }),
    done: count({ other: '# 个已完成' }),
    error: count({ other: '# 个失败' }),
    aborted: count({ other: '# 个已中止' }),
    denied: count({ other: '# 个已拒绝' }),
    unknown: count({ other: '# 个结果未知' }),
  },

  needsYou: (name) => `${name}：需要你决定`,
  started: (name) => `${name}：已开始`,
  ended: (name, outcome) => `${name}：${outcome}`,

  seconds: (seconds) => `${seconds} 秒`,
  minutesSeconds: (minutes, seconds) => `${minutes} 分 ${seconds} 秒`,
  hoursMinutes: (hours, minutes) => `${hours} 小时 ${minutes} 分`,
}
