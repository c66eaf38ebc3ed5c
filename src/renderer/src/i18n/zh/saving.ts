/** What the reader is told about a copy that was not saved; part of `errors`. */
export const saveFailures = {
  SAVE_FAILED: {
    what: '无法保存文件。',
    denied: 'Lectern 没有写入此文件夹的权限。',
    held: '要替换的文件正被其他程序占用。',
    gone: '此文件夹已不存在。',
    long: '文件名或路径过长。',
    large: '文件过大，超出此磁盘的限制。',
    inside: '不能将文件保存到 Lectern 的数据文件夹中。',
    data: '没有丢失任何内容，原文件仍在 Lectern 中。',
    todo: '请选择其他文件夹或文件名。',
  },
}

/** Files that leave Lectern. */
export const saving = {
  save: {
    as: '保存 {name}',
    menu: '保存…',
    drag: '点击保存，或拖到其他应用中',
    original: '原始文件',
    saving: '正在保存“{name}”',
    cancel: '取消保存“{name}”',
    saved: '已保存“{name}”',
    downloaded: '已下载“{name}”',
    failed: '无法保存。{why}',
    reveal: '在文件夹中显示',
    notShown: '无法显示。{why}',
    preparing: '正在准备“{name}”，请稍后再次拖动。',
    notDragged: '无法拖动。{why}',
  },
}
