/** Failures of saving a copy; part of `errors`. */
export const saveFailures = {
  SAVE_FAILED: {
    what: '无法保存文件。',
    denied: 'Lectern 无法写入此文件夹。',
    held: '文件正被其他程序占用。',
    gone: '此文件夹已不存在。',
    long: '文件名或路径过长。',
    large: '文件过大，此磁盘无法保存。',
    inside: '不能保存到 Lectern 的数据文件夹。',
    data: '没有丢失任何内容。',
    todo: '请换用其他文件夹或文件名。',
  },
}

/** Files that are saved outside Lectern. */
export const saving = {
  save: {
    as: '保存“{name}”',
    audio: '保存音频…',
    original: '保存原始文件…',
    drag: '保存，或拖到其他应用',
    exported: '可以保存“{name}”',
    now: '保存',
    notExported: '未能导出。{why}',
    saving: '正在保存“{name}”…',
    cancel: '取消保存“{name}”',
    saved: '已保存“{name}”',
    downloaded: '已下载“{name}”',
    failed: '未保存。{why}',
    reveal: '在文件夹中显示',
    notShown: '无法显示文件。{why}',
    preparing: '正在准备“{name}”，请稍后再次拖动。',
    notDragged: '无法拖动文件。{why}',
  },
}
